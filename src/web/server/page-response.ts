import type { HttpContext } from '../../kernel/http/http.ts';
import { addFormKeys } from '../components/add-form-keys.ts';
import { applyAppearance } from './appearance.ts';

export type PageStatus = 200 | 400 | 403 | 404 | 412 | 429 | 500 | 503;

interface PageOptions {
  hasScript?: boolean;
  /** Allows forms to redirect to another site. Browsers also apply `form-action` to redirects. */
  hasExternalRedirect?: boolean;
}

function buildContentSecurityPolicy({ hasScript = false, hasExternalRedirect = false }: PageOptions): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "img-src 'self' data:",
    "manifest-src 'self'",
    ...(hasExternalRedirect ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Forbids inline scripts, third-party resources and caching. */
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
  return c.html(applyAppearance(c, addFormKeys(html)), status) as Response;
}
