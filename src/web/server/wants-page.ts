import type { HttpContext } from '../../kernel/http/http.ts';

/** Addresses that programs call, whatever they say they accept. */
const PROGRAMS = /^\/(v1|mcp|api|\.well-known|openapi\.json|health|files|app\/[^/]+\/live)(\/|$)/;

/** Whether a person's browser asks for something to read. */
export function wantsPage(c: HttpContext): boolean {
  const accepted = c.req.header('Accept') ?? '';
  return accepted.includes('text/html') && !PROGRAMS.test(new URL(c.req.url).pathname);
}
