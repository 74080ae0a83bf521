import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { registerInput, registerResult } from './accounts.schema.ts';
import { createAccount } from './create-account.ts';

export const register = defineOperation(
  {
    name: 'register',
    summary: 'Create an account',
    description:
      'Sends a verification link by email. Once the address is verified, the person has a workspace and can sign in. Limit: 20 accounts per hour per IP address.',
    access: 'public',
    capability: null,
    effect: 'write',
    input: registerInput,
    output: registerResult,
  },
  async ({ request }, { email, password, name }) => {
    if (!(await createAccount(request, { email, password, name }, null)))
      throw emailTakenError(request.origin);
    return {
      success: true,
      requiresVerification: true,
      email,
      message: `Check your email: follow the link sent to ${email} to verify the address, then sign in with POST /v1/auth/login.`,
    };
  },
);

function emailTakenError(origin: string) {
  return invalidRequestError(
    ({ call }) =>
      `This email address already has an account. Sign in with ${call('login')}. If you haven't verified the address, request a new link with POST ${origin}/verify-email/resend.`,
    'email',
  );
}
