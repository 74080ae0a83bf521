import { sendWithRetries } from './send.ts';
import type { CallOptions, ClientOptions } from './types.ts';

/**
 * `inQuery` is a space-separated list of the query parameters of an operation that also has a body. A `pages` operation
 * returns a cursor, a `bytes` operation sends a file, and a `public` operation accepts no idempotency key.
 */
export type OperationRow = readonly [
  method: string,
  path: string,
  inQuery?: string,
  kind?: 'pages' | 'bytes' | 'public',
];

export type OperationInput = Readonly<Record<string, unknown>>;

const etags = new WeakMap<object, string>();

interface OperationResult {
  readonly value: unknown;
  readonly cursor: string | null;
}

export async function callOperation(
  client: ClientOptions,
  [method, path, inQuery = '', kind]: OperationRow,
  input: OperationInput = {},
  options: CallOptions = {},
): Promise<OperationResult> {
  const rest = { ...input };
  const filledPath = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // Without the value, the path would refer to a different resource.
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is required`);
    return encodeURIComponent(String(value));
  });
  const isRead = method === 'GET';
  const hasBody = !isRead && method !== 'DELETE';
  const isInQuery = (name: string) => !hasBody || inQuery.split(' ').includes(name);
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined);
  const query = String(
    new URLSearchParams(
      entries.filter(([name]) => isInQuery(name)).flatMap(([name, value]) => toQueryParameters(name, value)),
    ),
  );
  const headers = new Headers(options.headers);
  const token = typeof client.token === 'function' ? await client.token() : client.token;
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (options.ifMatch !== undefined) headers.set('If-Match', toEtag(options.ifMatch));
  if (!isRead && kind === undefined)
    headers.set('Idempotency-Key', options.idempotencyKey ?? createIdempotencyKey());
  let body: BodyInit | null = null;
  if (kind === 'bytes') {
    body = rest.body as BodyInit;
    headers.set('Content-Type', 'application/octet-stream');
  } else if (hasBody) {
    body = JSON.stringify(Object.fromEntries(entries.filter(([name]) => !isInQuery(name))));
    headers.set('Content-Type', 'application/json');
  }
  const origin = client.baseUrl.replace(/(\/v1)?\/*$/, '');
  const { text, link, etag } = await sendWithRetries(
    client,
    `${origin}/v1${filledPath}${query && `?${query}`}`,
    { method, headers, body, signal: options.signal ?? null },
    kind !== 'public',
  );
  const value: unknown = JSON.parse(text);
  if (etag !== null && typeof value === 'object' && value !== null) etags.set(value, etag);
  return { value, cursor: readNextCursor(link) };
}

function toEtag(match: object | string | number): string {
  if (typeof match !== 'object') return String(match);
  const etag = etags.get(match);
  if (etag === undefined)
    throw new TypeError('ifMatch must be an object that this client returned; this object has no ETag');
  return etag;
}

/** Joins lists with commas, and turns each key of an object into a parameter, for example for custom field filters. */
function toQueryParameters(name: string, value: unknown): [string, string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([key, each]) => [key, String(each)]);
  }
  return [[name, String(value)]];
}

/** Returns the cursor instead of the URL, because following the URL could send the token to another host. */
function readNextCursor(link: string | null): string | null {
  const [, next] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? [];
  return next === undefined ? null : new URL(next).searchParams.get('cursor');
}

/** `crypto.randomUUID` isn't available on pages without HTTPS. */
export function createIdempotencyKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
