import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { cookieName, cookieOptions } from '../browser-sessions/browser-session.ts';
import type { HttpContext } from '../kernel/http/http.ts';
import type { Done } from './page-model/page.ts';

/** Long enough for the page that a form leads to. */
const SECONDS = 30;

interface Left extends Done {
  readonly base: string;
}

/** Gives the next page of a workspace something to say. It stands in a cookie, so that no address tells it twice. */
export function leaveDone(c: HttpContext, left: Left) {
  const scope = c.get('scope');
  const text = Buffer.from(JSON.stringify(left)).toString('base64url');
  setCookie(c, cookieName(scope, 'done'), text, { ...cookieOptions(scope), maxAge: SECONDS });
}

/** What was left, once. A page that a browser fetches in advance leaves it for the one that is shown. */
export function takeDone(c: HttpContext, base: string): Done | null {
  const scope = c.get('scope');
  const text = getCookie(c, cookieName(scope, 'done'));
  if (!text || c.req.header('Sec-Purpose')?.includes('prefetch')) return null;
  deleteCookie(c, cookieName(scope, 'done'), cookieOptions(scope));
  try {
    const left: Left = JSON.parse(Buffer.from(text, 'base64url').toString());
    return left.base === base ? left : null;
  } catch {
    return null;
  }
}
