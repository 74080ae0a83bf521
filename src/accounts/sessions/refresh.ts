import { operation } from '../../kernel/operation/operation.ts';
import { requireFreshSignIn } from '../credentials/fresh-sign-in.ts';
import { sessionResult } from './session.ts';
import { loginResult, noInput } from './sessions.schema.ts';

export const refreshSession = operation(
  {
    name: 'refreshSession',
    summary: 'Exchange a session token that still holds for a fresh one',
    description:
      'There is no grace period: after expiry, sign in again. So do you after your password was changed.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: noInput,
    output: loginResult,
    answersSecret: true,
  },
  async (ctx) => {
    await requireFreshSignIn(ctx);
    return sessionResult(ctx.request, ctx.caller, ctx.caller.credential.signedInAt);
  },
);
