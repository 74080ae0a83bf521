import type { HttpContext } from '../../kernel/http/http.ts';

/** Matches paths for programs, whose errors aren't displayed as pages. */
const MACHINE_PATHS_PATTERN =
  /^\/(v1|mcp|api|\.well-known|openapi\.json|health|files|app\/[^/]+\/live)(\/|$)/;

export function isPageRequest(c: HttpContext): boolean {
  const accepted = c.req.header('Accept') ?? '';
  return accepted.includes('text/html') && !MACHINE_PATHS_PATTERN.test(new URL(c.req.url).pathname);
}
