import { OAuthError } from './oauth-error.ts';

export interface Parameters {
  /** Null if it was left out; a parameter without a value counts as left out (RFC 6749 section 3.1). */
  get(name: string): string | null;
  /** Names that came more than once, which RFC 6749 section 3.1 forbids. */
  readonly repeated: readonly string[];
}

export function readParameters(search: URLSearchParams): Parameters {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of search.keys()) (seen.has(name) ? repeated : seen).add(name);
  return { get: (name) => search.get(name) || null, repeated: [...repeated] };
}

export function repeatedParameter(name: string): OAuthError {
  return new OAuthError(
    'invalid_request',
    `The parameter ${name} was sent more than once. Send each parameter once.`,
  );
}
