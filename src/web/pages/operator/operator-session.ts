import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { buildCookieName, getCookieOptions } from '../../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { RequestScope } from '../../../kernel/operation/request-scope.ts';
import { appendSeal, removeSeal } from '../../../kernel/secrets/seal.ts';
import { isSameSecret, signText } from '../../../kernel/secrets/sign-text.ts';
import { createSecret, hashSecret } from '../../../kernel/secrets/tokens.ts';

const OPERATOR_SESSION_SECONDS = 60 * 60;
const OPERATOR_COOKIE_PURPOSE = 'operator';

export interface OperatorSession {
  readonly csrf: string;
}

/** Compares hashes so that the time taken reveals neither the key nor its length. */
export function isOperatorKey({ config }: RequestScope, sent: string): boolean {
  const { operatorKey } = config;
  return operatorKey !== null && isSameSecret(hashSecret(operatorKey), hashSecret(sent));
}

/** Nothing is stored on the server, because the signed cookie contains its expiry time. */
export function openOperatorSession(c: HttpContext): void {
  const scope = c.get('scope');
  const text = `${scope.now + OPERATOR_SESSION_SECONDS * 1000}.${createSecret()}`;
  setCookie(
    c,
    buildCookieName(scope, 'operator'),
    appendSeal(buildSigningKey(scope), OPERATOR_COOKIE_PURPOSE, text),
    {
      ...getCookieOptions(scope),
      sameSite: 'Strict',
      maxAge: OPERATOR_SESSION_SECONDS,
    },
  );
}

export function readOperatorSession(c: HttpContext): OperatorSession | null {
  const scope = c.get('scope');
  const cookie = getCookie(c, buildCookieName(scope, 'operator')) ?? '';
  const text = removeSeal([buildSigningKey(scope)], OPERATOR_COOKIE_PURPOSE, cookie);
  if (text === null || Number.parseInt(text, 10) <= scope.now) return null;
  return { csrf: signText(buildSigningKey(scope), `csrf ${cookie}`) };
}

export function closeOperatorSession(c: HttpContext): void {
  const scope = c.get('scope');
  deleteCookie(c, buildCookieName(scope, 'operator'), getCookieOptions(scope));
}

/** Depends on two secrets, so a new OPERATOR_KEY or SESSION_SECRET ends all sessions. */
function buildSigningKey({ config }: RequestScope): string {
  return signText(config.sessionSecret, `operator ${config.operatorKey}`);
}
