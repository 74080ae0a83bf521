import { unauthorized } from '../kernel/errors.ts';
import { operation } from '../kernel/operation.ts';
import { requireAllowed } from '../rate-limit/rate-limit.ts';
import { findPlacesOfEmail, openHome } from '../workspaces/home.ts';
import { countLogin } from './attempts.ts';
import { findAccount, toEmailKey } from './auth.queries.ts';
import { loginInput, loginResult } from './auth.schema.ts';
import { verifyPassword } from './passwords.ts';
import { sessionResult } from './session.ts';

export const login = operation(
  {
    name: 'login',
    summary: 'Sign in with email and password',
    description:
      'Answers a session token for the workspace that was joined first. At most 10 attempts in 15 minutes from one address.',
    access: 'public',
    effect: 'write',
    input: loginInput,
    output: loginResult,
  },
  async ({ request }, { email, password }) => {
    const emailKey = toEmailKey(email);
    const [attempts, [account, places]] = await Promise.all([
      countLogin(request, emailKey),
      request.directory.batch([findAccount(emailKey), findPlacesOfEmail(emailKey)]),
    ]);
    requireAllowed(...attempts);
    const isRight = await verifyPassword(password, account?.passwordHash ?? null);
    if (!account || !isRight) throw refused();
    if (account.verifiedAt === null) throw unverified(request.origin);
    const seat = await openHome(request, account, places);
    if (!seat) throw homeless();
    return sessionResult(request, seat);
  },
);

/** The same for a wrong password and an unknown address. */
function refused() {
  return unauthorized('The email or the password is wrong. Check both and try again.');
}

/** Only whoever knows the password learns this. */
function unverified(origin: string) {
  return unauthorized(
    `This account is not verified yet. Follow the link in the mail, or get a new one with POST ${origin}/verify-email/resend and your email.`,
  );
}

function homeless() {
  return unauthorized(
    'This account is in no workspace any more. Ask an owner of the workspace to add you again.',
  );
}
