import { operation } from '../../kernel/operation/operation.ts';
import { describePerson } from './session.ts';
import { me, noInput } from './sessions.schema.ts';

export const getMe = operation(
  {
    name: 'getMe',
    summary: 'Get the person behind the credential, with workspace and plan',
    description: "The caller's id, address and role, and the workspace that the credential is bound to.",
    access: 'profile:read',
    capability: 'manageOwn',
    effect: 'read',
    input: noInput,
    output: me,
  },
  async (ctx) => describePerson(ctx.caller),
);
