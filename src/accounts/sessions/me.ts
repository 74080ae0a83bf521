import { defineOperation } from '../../kernel/operation/operation.ts';
import { toProfile } from './session.ts';
import { me, noInput } from './sessions.schema.ts';

export const getMe = defineOperation(
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
  async (ctx) => toProfile(ctx.caller),
);
