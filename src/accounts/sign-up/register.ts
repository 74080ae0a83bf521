import { invalidRequest } from '../../kernel/errors/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { registerInput, registerResult } from './accounts.schema.ts';
import { createAccount } from './create-account.ts';

export const register = operation(
  {
    name: 'register',
    summary: 'Create an account, to be verified by mail before the first sign-in',
    description:
      'Verifying also creates a workspace of its own. At most 20 accounts an hour from one address.',
    access: 'public',
    capability: null,
    effect: 'write',
    input: registerInput,
    output: registerResult,
  },
  async ({ request }, { email, password, name }) => {
    if (!(await createAccount(request, { email, password, name }, null))) throw duplicate(request.origin);
    return {
      success: true,
      requiresVerification: true,
      email,
      message: `Check your mail: the link that was sent to ${email} verifies the address. Then sign in with POST /v1/auth/login.`,
    };
  },
);

function duplicate(origin: string) {
  return invalidRequest(
    ({ call }) =>
      `email already has an account. Sign in with ${call('login')}; if it was never verified, get a new link with POST ${origin}/verify-email/resend.`,
  );
}
