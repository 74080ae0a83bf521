import type { Route } from '../http/route.ts';
import { hasDeprecation } from '../operation/deprecation.ts';

const wholeNumberSchema = { type: 'integer', minimum: 0 } as const;

const headerComponents = {
  'X-Request-Id': {
    description: "Identifies this request in Edgework's logs.",
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed per rate limit window.', schema: wholeNumberSchema },
  'X-RateLimit-Remaining': { description: 'Requests left in the current window.', schema: wholeNumberSchema },
  'X-RateLimit-Reset': { description: 'Seconds until the current window ends.', schema: wholeNumberSchema },
  'Retry-After': { description: 'Seconds to wait before you try again.', schema: wholeNumberSchema },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750 section 3).',
    schema: { type: 'string' },
  },
  'Error-Field': {
    description:
      'The first parameter or field at fault, such as `tasks[1].deadline`. Absent if there is none.',
    schema: { type: 'string' },
    example: 'deadline',
  },
  ETag: {
    description:
      'The response\'s version, for If-None-Match. If the resource supports If-Match, the form is `"<version>-<hash>"`.',
    schema: { type: 'string' },
  },
  Link: {
    description:
      'A link to the next page, if there is one (RFC 8288, `rel="next"`). With the cursor in this link, later pages are as fast as the first.',
    schema: { type: 'string' },
  },
  'Preference-Applied': {
    description:
      '`return=minimal` if the response is minimal, as requested with `Prefer: return=minimal` (RFC 7240).',
    schema: { type: 'string', const: 'return=minimal' },
  },
  Deprecation: {
    description: 'The date on which the operation, or a parameter you sent, was deprecated (RFC 9745).',
    schema: { type: 'string' },
  },
  Sunset: {
    description: 'The earliest date on which the operation or parameter may stop working (RFC 8594).',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` if the Idempotency-Key was already used and this is the original response.',
    schema: { type: 'string', const: 'true' },
  },
} as const;
type HeaderName = keyof typeof headerComponents;

/** Omits the deprecation headers while nothing is deprecated, because linters report unused components. */
export function pickHeaderComponents(routes: readonly Route[]): Partial<typeof headerComponents> {
  if (routes.some(({ operation }) => hasDeprecation(operation))) return headerComponents;
  const { Deprecation: _, Sunset: __, ...used } = headerComponents;
  return used;
}

const rateLimitHeaders: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export function buildResponseHeaders(route: Route, status: number): Record<string, { $ref: string }> {
  const { method, operation } = route;
  const isPublic = operation.access === 'public';
  const names: HeaderName[] = ['X-Request-Id', ...(isPublic ? [] : rateLimitHeaders)];
  if (status >= 400 && status < 500 && status !== 401 && status !== 429) names.push('Error-Field');
  if (status === 401 || status === 403) names.push('WWW-Authenticate');
  if (status === 429 || status >= 500) names.push('Retry-After');
  const isTagged = method === 'GET' || operation.returnsVersion === true;
  if (isTagged && (status < 300 || status === 304)) names.push('ETag');
  if ('cursor' in operation.input.shape && status === 200) names.push('Link');
  if (operation.isMinimal && status < 300) names.push('Preference-Applied');
  if (method !== 'GET' && !isPublic && status < 300) names.push('Idempotent-Replayed');
  if (hasDeprecation(operation) && (status < 300 || status === 304)) {
    names.push('Deprecation', 'Sunset', ...(names.includes('Link') ? [] : (['Link'] as const)));
  }
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
