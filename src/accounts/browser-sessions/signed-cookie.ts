import { getSignedCookie, setSignedCookie } from 'hono/cookie';
import type { HttpContext } from '../../kernel/http/http.ts';
import { buildCookieName, getCookieOptions } from './browser-session.ts';

type Purpose = 'social' | 'sign_up';

/** Stores a value that only this server can write and that this browser returns. */
export async function setSignedValue(
  c: HttpContext,
  purpose: Purpose,
  value: unknown,
  maxAgeSeconds: number,
) {
  const scope = c.get('scope');
  await setSignedCookie(
    c,
    buildCookieName(scope, purpose),
    JSON.stringify(value),
    buildCookieSecret(purpose, scope.config.sessionSecret),
    { ...getCookieOptions(scope), maxAge: maxAgeSeconds },
  );
}

/** Returns the value and deletes it, or returns null if the cookie is missing or forged. */
export async function takeSignedValue(c: HttpContext, purpose: Purpose): Promise<unknown> {
  const scope = c.get('scope');
  const { sessionSecret, sessionSecretPrevious } = scope.config;
  const name = buildCookieName(scope, purpose);
  const read = (secret: string) => getSignedCookie(c, buildCookieSecret(purpose, secret), name);
  const value = (await read(sessionSecret)) || (sessionSecretPrevious && (await read(sessionSecretPrevious)));
  if (!value) return null;
  await setSignedCookie(c, name, '', buildCookieSecret(purpose, sessionSecret), {
    ...getCookieOptions(scope),
    maxAge: 0,
  });
  return JSON.parse(value);
}

/** Derives a separate secret, which can't sign session tokens. */
function buildCookieSecret(purpose: Purpose, sessionSecret: string): string {
  return `${purpose} ${sessionSecret}`;
}
