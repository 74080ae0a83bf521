import { defineOperation } from '../../kernel/operation/operation.ts';
import { requireFreshSignIn } from '../credentials/fresh-sign-in.ts';
import { buildSessionResult } from './session.ts';
import { loginResult, noInput } from './sessions.schema.ts';

export const refreshSession = defineOperation(
  {
    name: 'refreshSession',
    summary: 'Exchange a valid session token for a fresh one',
    description:
      'There is no grace period: once the token has expired or the password has changed, sign in again.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: noInput,
    output: loginResult,
    returnsSecret: true,
  },
  async (ctx) => {
    await requireFreshSignIn(ctx);
    return buildSessionResult(ctx.request, ctx.caller, ctx.caller.credential.signedInAt);
  },
);
