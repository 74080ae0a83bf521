import type { Route } from '../http/route.ts';

const whole = { type: 'integer', minimum: 0 } as const;

/** Headers of answers, for OpenAPI; test/support/contract.ts holds every answer against them. */
export const headerComponents = {
  'X-Request-Id': {
    description: 'Names this request in the log of the service.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Requests that the window allows.', schema: whole },
  'X-RateLimit-Remaining': { description: 'Requests that are left in the window.', schema: whole },
  'X-RateLimit-Reset': { description: 'Seconds until the window ends.', schema: whole },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: whole },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750 section 3).',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'Version of this answer, for If-None-Match. Of a resource that If-Match takes, `"<version>-<hash>"`.',
    schema: { type: 'string' },
  },
  Link: {
    description:
      'The next page, rel="next" (RFC 8288), where there is one. Its cursor costs the same at any depth.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'true if the Idempotency-Key was used before and this is its answer again.',
    schema: { type: 'string', const: 'true' },
  },
} as const;
type HeaderName = keyof typeof headerComponents;

const limits: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** References to the headers that an answer with this status may carry. */
export function responseHeaders(route: Route, status: number): Record<string, { $ref: string }> {
  const { method, operation } = route;
  const isPublic = operation.access === 'public';
  const names: HeaderName[] = ['X-Request-Id', ...(isPublic ? [] : limits)];
  if (status === 401 || status === 403) names.push('WWW-Authenticate');
  if (status === 429 || status === 500) names.push('Retry-After');
  const isTagged = method === 'GET' || operation.answersVersion === true;
  if (isTagged && (status < 300 || status === 304)) names.push('ETag');
  if ('cursor' in operation.input.shape && status === 200) names.push('Link');
  if (method !== 'GET' && !isPublic && status < 300) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
