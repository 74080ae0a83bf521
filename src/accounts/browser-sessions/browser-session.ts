import { getCookie, setCookie } from 'hono/cookie';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { isSameSecret, signText } from '../../kernel/secrets/sign-text.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import {
  deleteBrowserSession,
  findPersonBySession,
  findSessionInWorkspace,
  insertBrowserSession,
  type SessionPerson,
} from './browser-session.queries.ts';
import { deleteSessionCopies } from './end-sessions.ts';

export type { SessionPerson } from './browser-session.queries.ts';

const SESSION_DAYS = 7;
const USER_AGENT_CHARACTERS_MAX = 300;
export const SESSION_LIFETIME_SECONDS = SESSION_DAYS * 24 * 60 * 60;
const SESSION_ID_PATTERN = /^[\w-]{27}$/;

/** A browser, signed in or not. Only the web app accepts its cookie; `/v1` and `/mcp` ignore it. */
export interface Browser {
  readonly idHash: string;
  readonly csrf: string;
  /** The CSRF token of forms opened before the last secret rotation. Null outside a rotation. */
  readonly csrfPrevious: string | null;
  readonly person: SessionPerson | null;
}

export type SignedInBrowser = Browser & { readonly person: SessionPerson };

/** Sets a session cookie if the browser has none, because CSRF tokens are bound to the cookie. */
export async function readBrowser(c: HttpContext): Promise<Browser> {
  const scope = c.get('scope');
  const known = readSessionId(c);
  if (known === null) return { ...buildBrowserTokens(scope, setSessionCookie(c)), person: null };
  const browser = buildBrowserTokens(scope, known);
  const [person] = await scope.directory.batch([findPersonBySession(browser.idHash, scope.now)]);
  return { ...browser, person };
}

/** Doesn't check whether the session has ended. */
export function readSessionHash(c: HttpContext): string | null {
  const known = readSessionId(c);
  return known === null ? null : hashSecret(known);
}

export function readUncheckedBrowser(c: HttpContext): Browser | null {
  const known = readSessionId(c);
  return known === null ? null : { ...buildBrowserTokens(c.get('scope'), known), person: null };
}

export async function readBrowserInWorkspace(
  c: HttpContext,
  workspaceId: string,
): Promise<{ browser: Browser; cell: number | null }> {
  const scope = c.get('scope');
  const known = readSessionId(c);
  if (known === null)
    return { browser: { ...buildBrowserTokens(scope, setSessionCookie(c)), person: null }, cell: null };
  const browser = buildBrowserTokens(scope, known);
  const [found] = await scope.directory.batch([
    findSessionInWorkspace(browser.idHash, workspaceId, scope.now),
  ]);
  if (!found) return { browser: { ...browser, person: null }, cell: null };
  const { cell, ...person } = found;
  return { browser: { ...browser, person }, cell };
}

function readSessionId(c: HttpContext): string | null {
  const known = getCookie(c, buildCookieName(c.get('scope'), 'session'));
  return known !== undefined && SESSION_ID_PATTERN.test(known) ? known : null;
}

/**
 * Replaces the session id to prevent session fixation. Returns false if the account has been deleted, or if its
 * password has changed since it was checked.
 */
export async function signInBrowser(
  c: HttpContext,
  browser: Browser,
  userId: string,
  passwordHash: string | null = null,
): Promise<boolean> {
  const scope = c.get('scope');
  const id = setSessionCookie(c, SESSION_LIFETIME_SECONDS);
  const [, , signedIn] = await scope.directory.batch([
    deleteBrowserSession(browser.idHash),
    insertBrowserSession(
      {
        idHash: hashSecret(id),
        userId,
        userAgent: (c.req.header('User-Agent') ?? '').slice(0, USER_AGENT_CHARACTERS_MAX),
        expiresAt: scope.now + SESSION_LIFETIME_SECONDS * 1000,
        passwordHash,
      },
      scope.now,
    ),
    findPersonBySession(hashSecret(id), scope.now),
  ]);
  if (browser.person) await deleteSessionCopies(scope, browser.person.id);
  return signedIn !== null;
}

export async function signOutBrowser(c: HttpContext, browser: Browser): Promise<void> {
  const scope = c.get('scope');
  setSessionCookie(c);
  await scope.directory.batch([deleteBrowserSession(browser.idHash)]);
  if (browser.person) await deleteSessionCopies(scope, browser.person.id);
}

export function isCsrfToken(browser: Browser, token: string): boolean {
  return [browser.csrf, browser.csrfPrevious].some((known) => known !== null && isSameSecret(known, token));
}

/** Over HTTPS, the `__Host-` prefix stops subdomains and plain HTTP sites from setting the cookie. */
export function buildCookieName(
  scope: RequestScope,
  purpose: 'session' | 'social' | 'sign_up' | 'done' | 'operator',
): string {
  return isHttps(scope) ? `__Host-ew_${purpose}` : `ew_${purpose}`;
}

/**
 * With `Lax`, people who follow a link from another site are still signed in. Browsers don't send the cookie with
 * cross-site POSTs.
 */
export function getCookieOptions(scope: RequestScope) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isHttps(scope) } as const;
}

function setSessionCookie(c: HttpContext, maxAge?: number): string {
  const scope = c.get('scope');
  const id = createSecret();
  setCookie(c, buildCookieName(scope, 'session'), id, {
    ...getCookieOptions(scope),
    ...(maxAge === undefined ? {} : { maxAge }),
  });
  return id;
}

function buildBrowserTokens({ config }: RequestScope, id: string) {
  const { sessionSecret, sessionSecretPrevious } = config;
  return {
    idHash: hashSecret(id),
    csrf: createCsrfToken(sessionSecret, id),
    csrfPrevious: sessionSecretPrevious === null ? null : createCsrfToken(sessionSecretPrevious, id),
  };
}

function createCsrfToken(secret: string, id: string): string {
  return signText(secret, `csrf ${id}`);
}

function isHttps(scope: RequestScope): boolean {
  return scope.origin.startsWith('https:');
}
