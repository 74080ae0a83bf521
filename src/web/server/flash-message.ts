import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { buildCookieName, getCookieOptions } from '../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { buildFingerprint } from '../../kernel/operation/snapshot.ts';
import type { FlashMessage } from '../page-model/page.ts';

const FLASH_COOKIE_SECONDS = 30;

interface StoredFlashMessage extends FlashMessage {
  readonly at: string;
  readonly isElsewhere: boolean;
}

/** Binds the message to one page, because scripts might fetch other pages first. */
export function setFlashMessage(c: HttpContext, flash: FlashMessage, address: string, back: string) {
  const scope = c.get('scope');
  const getPath = (page: string) => new URL(page, scope.origin).pathname;
  const isElsewhere = getPath(address) !== getPath(back);
  const stored: StoredFlashMessage = {
    ...flash,
    at: buildFingerprint(toPagePath(address, scope.origin)),
    isElsewhere,
  };
  const text = Buffer.from(JSON.stringify(stored)).toString('base64url');
  setCookie(c, buildCookieName(scope, 'done'), text, {
    ...getCookieOptions(scope),
    maxAge: FLASH_COOKIE_SECONDS,
  });
}

/** Leaves the message in place if the page is only prefetched, because the person hasn't seen it yet. */
export function takeFlashMessage(c: HttpContext): FlashMessage | null {
  const scope = c.get('scope');
  const text = getCookie(c, buildCookieName(scope, 'done'));
  if (!text || c.req.header('Sec-Purpose')?.includes('prefetch')) return null;
  const stored = parseFlashMessage(text);
  if (stored?.at !== buildFingerprint(toPagePath(c.req.url, scope.origin))) return null;
  // A script follows the redirect first, so the message is kept until the browser opens the page.
  if (stored.isElsewhere && c.req.header('Sec-Fetch-Dest') === 'empty') return null;
  deleteCookie(c, buildCookieName(scope, 'done'), getCookieOptions(scope));
  return stored;
}

function parseFlashMessage(text: string): StoredFlashMessage | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

function toPagePath(address: string, origin: string): string {
  const { pathname, search } = new URL(address, origin);
  return pathname + search;
}
