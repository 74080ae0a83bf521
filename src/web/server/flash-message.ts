import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { cookieName, cookieOptions } from '../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { fingerprint } from '../../kernel/operation/as-shown.ts';
import type { FlashMessage } from '../page-model/page.ts';

/** Long enough for the page that a form leads to. */
const SECONDS = 30;

interface Left extends FlashMessage {
  /** Fingerprint of the address of the page that says it. */
  readonly at: string;
  /** That page is not the one that the form was on. */
  readonly isElsewhere: boolean;
}

/**
 * Gives the page that a form leads to something to say. It stands in a cookie, so that no address tells it twice; and it is
 * for that page alone, because scripts fetch others meanwhile.
 */
export function setFlashMessage(c: HttpContext, flash: FlashMessage, address: string, back: string) {
  const scope = c.get('scope');
  const pathOf = (page: string) => new URL(page, scope.origin).pathname;
  const isElsewhere = pathOf(address) !== pathOf(back);
  const left: Left = { ...flash, at: fingerprint(pageOf(address, scope.origin)), isElsewhere };
  const text = Buffer.from(JSON.stringify(left)).toString('base64url');
  setCookie(c, cookieName(scope, 'done'), text, { ...cookieOptions(scope), maxAge: SECONDS });
}

/** What was left for this page, once. A page that a browser fetches in advance leaves it for the one that is shown. */
export function takeFlashMessage(c: HttpContext): FlashMessage | null {
  const scope = c.get('scope');
  const text = getCookie(c, cookieName(scope, 'done'));
  if (!text || c.req.header('Sec-Purpose')?.includes('prefetch')) return null;
  const left = readLeft(text);
  if (left?.at !== fingerprint(pageOf(c.req.url, scope.origin))) return null;
  // A script that sent the form follows its redirect, and then has the browser open that page.
  if (left.isElsewhere && c.req.header('Sec-Fetch-Dest') === 'empty') return null;
  deleteCookie(c, cookieName(scope, 'done'), cookieOptions(scope));
  return left;
}

function readLeft(text: string): Left | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

/** An address as its request says it: without the place in the page. */
function pageOf(address: string, origin: string): string {
  const { pathname, search } = new URL(address, origin);
  return pathname + search;
}
