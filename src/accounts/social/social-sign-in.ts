import { generateCodeVerifier } from 'arctic';
import * as z from 'zod';
import type { HttpContext } from '../../kernel/http/http.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { createId, createSecret } from '../../kernel/secrets/tokens.ts';
import { provisionFirstWorkspace } from '../../workspaces/directory/provision.ts';
import { HOME_PATH } from '../browser-sessions/return-path.ts';
import { setSignedValue, takeSignedValue } from '../browser-sessions/signed-cookie.ts';
import { findAccount, insertVerifiedUser, toEmailKey } from '../sign-up/accounts.queries.ts';
import { emailAddress } from '../sign-up/accounts.schema.ts';
import { createSocialProvider, type SocialProfile } from './social-provider.ts';

const ATTEMPT_LIFETIME_MS = 10 * 60_000;
const NAME_CHARACTERS_MAX = 100;
const IMAGE_CHARACTERS_MAX = 500;
const IMAGE_URL_PATTERN = /^https:\/\/[!#-[\]-~]+$/;
/** The return path is stored in a cookie, which is limited to 4 KB. A longer path is replaced with the home page. */
const RETURN_PATH_CHARACTERS_MAX = 1_800;

/** Stored in a cookie that binds the provider's response to this browser (RFC 6749 §10.12). */
const signInAttempt = z.object({
  provider: z.string(),
  state: z.string(),
  verifier: z.string(),
  next: z.string(),
  expiresAt: z.number(),
});

export type SocialSignIn =
  | { readonly outcome: 'signed_in'; readonly userId: string; readonly next: string }
  /** Another browser started this sign-in, the attempt has expired, or the person declined. */
  | { readonly outcome: 'not_asked' }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'no_verified_address' }
  /** The address belongs to an unverified account, which a social sign-in must not take over. */
  | { readonly outcome: 'unverified_account' };

export async function beginSocialSignIn(c: HttpContext, id: string, next: string): Promise<URL | null> {
  const scope = c.get('scope');
  const provider = createSocialProvider(scope, id);
  if (!provider) return null;
  const [state, verifier] = [createSecret(), generateCodeVerifier()];
  const attempt = {
    provider: id,
    state,
    verifier,
    next: next.length > RETURN_PATH_CHARACTERS_MAX ? HOME_PATH : next,
    expiresAt: scope.now + ATTEMPT_LIFETIME_MS,
  };
  await setSignedValue(c, 'social', attempt, ATTEMPT_LIFETIME_MS / 1000);
  return provider.begin(state, verifier);
}

export async function finishSocialSignIn(
  c: HttpContext,
  id: string,
  { code, state }: { code: string | undefined; state: string | undefined },
): Promise<SocialSignIn> {
  const scope = c.get('scope');
  const provider = createSocialProvider(scope, id);
  const asked = await consumeSignInAttempt(c);
  if (!provider || !asked || !code || asked.provider !== id || asked.state !== state) {
    return { outcome: 'not_asked' };
  }
  let person: SocialProfile | null;
  try {
    person = await provider.finish(code, asked.verifier);
  } catch (error) {
    log('error', 'social.failed', { id: scope.id, provider: id, cause: describeError(error) });
    return { outcome: 'failed' };
  }
  const email = emailAddress.safeParse(person?.email);
  if (!person || !email.success) return { outcome: 'no_verified_address' };
  const userId = await findOrCreateAccount(scope, { ...person, email: email.data });
  return userId === null
    ? { outcome: 'unverified_account' }
    : { outcome: 'signed_in', userId, next: asked.next };
}

async function findOrCreateAccount(
  scope: RequestScope,
  { email, name, image }: SocialProfile,
): Promise<string | null> {
  const user = { id: createId('usr'), email, name: toValidName(name, email), image: toSafeImageUrl(image) };
  const emailKey = toEmailKey(email);
  const [, account] = await scope.directory.batch([
    insertVerifiedUser(user, scope.now),
    findAccount(emailKey),
  ]);
  if (!account || account.verified_at === null) return null;
  if (account.id === user.id) await provisionFirstWorkspace(scope, user, { timeZone: scope.timeZone });
  return account.id;
}

async function consumeSignInAttempt(c: HttpContext): Promise<z.infer<typeof signInAttempt> | null> {
  const scope = c.get('scope');
  const value = await takeSignedValue(c, 'social');
  if (value === null) return null;
  const parsed = signInAttempt.parse(value);
  return parsed.expiresAt > scope.now ? parsed : null;
}

function toValidName(name: string | null, email: string): string {
  const clean = (name ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, NAME_CHARACTERS_MAX);
  return clean || (email.split('@')[0] as string).slice(0, NAME_CHARACTERS_MAX);
}

function toSafeImageUrl(image: string | null): string | null {
  return image && image.length <= IMAGE_CHARACTERS_MAX && IMAGE_URL_PATTERN.test(image) ? image : null;
}
