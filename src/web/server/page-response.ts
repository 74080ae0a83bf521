import type { HttpContext } from '../../kernel/http/http.ts';
import { addFormKeys } from '../components/form-key-field.ts';

export type PageStatus = 200 | 400 | 403 | 404 | 412 | 429 | 500;

interface PageOptions {
  /** The page loads script files of this origin, which may fetch from it. */
  hasScript?: boolean;
  /** Pages of this origin may show it beside themselves, or it shows one; others are in no frame and hold none. */
  framing?: 'inside' | 'around' | undefined;
  /** The form may lead to another site: browsers apply `form-action` to the redirect after a form. */
  leadsAway?: boolean;
}

function policy({ hasScript = false, leadsAway = false, framing }: PageOptions): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "img-src 'self' data:",
    ...(leadsAway ? [] : ["form-action 'self'"]),
    ...(framing === 'around' ? ["frame-src 'self'"] : []),
    `frame-ancestors ${framing === 'inside' ? "'self'" : "'none'"}`,
    "base-uri 'none'",
  ].join('; ');
}

/** Answers a page without inline scripts, foreign frames and resources, or caching. */
export async function sendPage(
  c: HttpContext,
  page: unknown,
  status: PageStatus = 200,
  options: PageOptions = {},
): Promise<Response> {
  return sendHtml(c, `<!doctype html>${String(await page)}`, status, options);
}

export function sendHtml(
  c: HttpContext,
  html: string,
  status: PageStatus,
  options: PageOptions = {},
): Response {
  c.header('Content-Security-Policy', policy(options));
  c.header('Cache-Control', 'no-store');
  // With `no-referrer` a form would be sent with `Origin: null`, which `readPageForm` refuses.
  c.header('Referrer-Policy', 'same-origin');
  return c.html(addFormKeys(html), status) as Response;
}
