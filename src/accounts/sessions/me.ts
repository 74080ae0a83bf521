import { operation } from '../../kernel/operation/operation.ts';
import { toMe } from './session.ts';
import { me, noInput } from './sessions.schema.ts';

export const getMe = operation(
  {
    name: 'getMe',
    summary: 'Get the authenticated person and workspace',
    description: 'Returns your id, email address and role, and the workspace with its plan.',
    access: 'profile:read',
    capability: 'manageOwn',
    effect: 'read',
    input: noInput,
    output: me,
  },
  async (ctx) => toMe(ctx.caller),
);
