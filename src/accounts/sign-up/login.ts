import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import { unauthorizedError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { buildSessionResult } from '../sessions/session.ts';
import { loginResult } from '../sessions/sessions.schema.ts';
import { recordTokenSignIn } from '../sessions/sign-in-audit.queries.ts';
import { loginInput } from './accounts.schema.ts';
import { signInWithPassword } from './password-sign-in.ts';

export const login = defineOperation(
  {
    name: 'login',
    summary: 'Sign in with email and password',
    description:
      'Returns a session token for the workspace you joined first. Limit: 10 attempts per 15 minutes per IP address.',
    access: 'public',
    capability: null,
    effect: 'write',
    input: loginInput,
    output: loginResult,
    returnsSecret: true,
    audits: ['sign_in.succeeded', 'sign_in.failed'],
  },
  async ({ request }, { email, password }) => {
    const signIn = await signInWithPassword(request, email, password);
    switch (signIn.outcome) {
      case 'signed_in':
        await request
          .cell(signIn.membership.cell)
          .batch([recordTokenSignIn(signIn.membership, describeRequestSource(request), request.now)]);
        return buildSessionResult(request, signIn.membership);
      case 'rejected':
        throw wrongCredentialsError();
      case 'unverified':
        throw unverifiedAccountError(request.origin);
      case 'no_workspace':
        throw noWorkspaceError();
    }
  },
);

function wrongCredentialsError() {
  return unauthorizedError('The email or the password is wrong. Check both and try again.');
}

function unverifiedAccountError(origin: string) {
  return unauthorizedError(
    `This account isn't verified yet. Follow the link we emailed you, or request a new one with POST ${origin}/verify-email/resend.`,
  );
}

function noWorkspaceError() {
  return unauthorizedError(
    'This account no longer belongs to a workspace. Ask a workspace owner to invite you again.',
  );
}
