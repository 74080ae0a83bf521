import type { HttpContext } from '../../kernel/http/http.ts';
import { addFormKeys } from '../components/form-key-field.ts';

export type PageStatus = 200 | 400 | 403 | 404 | 412 | 429 | 500;

interface PageOptions {
  /** Allows scripts from this origin. */
  hasScript?: boolean;
  /** `inside` may be framed by this origin, `around` may frame it. Other pages do neither. */
  framing?: 'inside' | 'around' | undefined;
  /** The form may redirect to another site, to which browsers apply `form-action`. */
  leadsAway?: boolean;
}

function buildContentSecurityPolicy({ hasScript = false, leadsAway = false, framing }: PageOptions): string {
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

/** The policy allows no inline scripts, third-party resources or caching. */
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
  c.header('Content-Security-Policy', buildContentSecurityPolicy(options));
  c.header('Cache-Control', 'no-store');
  // With `no-referrer`, forms would send `Origin: null`, which `readPageForm` rejects.
  c.header('Referrer-Policy', 'same-origin');
  return c.html(addFormKeys(html), status) as Response;
}
