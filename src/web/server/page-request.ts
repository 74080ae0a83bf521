import type { HttpContext } from '../../kernel/http/http.ts';

/** Matches paths for programs, which never return an HTML page. */
const MACHINE_PATHS = /^\/(v1|mcp|api|\.well-known|openapi\.json|health|files|app\/[^/]+\/live)(\/|$)/;

export function isPageRequest(c: HttpContext): boolean {
  const accepted = c.req.header('Accept') ?? '';
  return accepted.includes('text/html') && !MACHINE_PATHS.test(new URL(c.req.url).pathname);
}
