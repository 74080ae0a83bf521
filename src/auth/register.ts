import { deliverOutbox } from '../email/deliver.ts';
import { queueMailTo } from '../email/outbox.queries.ts';
import { welcomeMail } from '../email/templates.ts';
import { invalidRequest } from '../kernel/errors.ts';
import { operation } from '../kernel/operation.ts';
import { createId } from '../kernel/tokens.ts';
import { requireAllowed } from '../rate-limit/rate-limit.ts';
import { countRegistration } from './attempts.ts';
import {
  countAccounts,
  countUser,
  insertUser,
  insertVerification,
  toEmailKey,
  userById,
} from './auth.queries.ts';
import { registerInput, registerResult } from './auth.schema.ts';
import { hashPassword } from './passwords.ts';
import { createVerification, VERIFICATION_HOURS } from './verification-link.ts';

export const register = operation(
  {
    name: 'register',
    summary: 'Create an account, to be verified by mail before the first sign-in',
    description:
      'Verifying also creates a workspace of its own. At most 20 accounts an hour from one address.',
    access: 'public',
    effect: 'write',
    input: registerInput,
    output: registerResult,
  },
  async ({ request, now }, { email, password, name }) => {
    const [attempt, [taken]] = await Promise.all([
      countRegistration(request),
      request.directory.batch([countAccounts(toEmailKey(email))]),
    ]);
    requireAllowed(attempt);
    if (taken > 0) throw duplicate(request.origin);

    const id = createId('usr');
    const { link, tokenHash, expiresAt } = createVerification(request.origin, now);
    const [, , , created] = await request.directory.batch([
      insertUser({ id, email, name, passwordHash: await hashPassword(password) }, now),
      insertVerification(userById(id), tokenHash, expiresAt, now),
      queueMailTo(userById(id), welcomeMail({ name, link, validHours: VERIFICATION_HOURS }), now),
      countUser(id),
    ]);
    if (created === 0) throw duplicate(request.origin);

    request.afterAnswer('mail.deliver', () => deliverOutbox(request));
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
    `email already has an account. Sign in with POST /v1/auth/login; if it was never verified, get a new link with POST ${origin}/verify-email/resend.`,
  );
}
