import { sendWithRetries } from './send.ts';
import type { CallOptions, ClientOptions } from './types.ts';

/**
 * Method, path, names of query parameters if there is also a body, and how the operation differs from others. `pages`
 * has a cursor, `bytes` takes a file, and `public` accepts no idempotency key.
 */
export type OperationRow = readonly [
  method: string,
  path: string,
  inQuery?: string,
  kind?: 'pages' | 'bytes' | 'public',
];

export type Input = Readonly<Record<string, unknown>>;

/** The ETags of results. */
const tags = new WeakMap<object, string>();

interface Result {
  readonly value: unknown;
  /** The cursor of the next page. */
  readonly cursor: string | null;
}

export async function callOperation(
  client: ClientOptions,
  [method, path, inQuery = '', kind]: OperationRow,
  input: Input = {},
  options: CallOptions = {},
): Promise<Result> {
  const rest = { ...input };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // Without a value, the path would be that of another resource.
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is required`);
    return encodeURIComponent(String(value));
  });
  const isRead = method === 'GET';
  const hasBody = !isRead && method !== 'DELETE';
  const isInQuery = (name: string) => !hasBody || inQuery.split(' ').includes(name);
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined);
  const query = String(
    new URLSearchParams(
      entries.filter(([name]) => isInQuery(name)).flatMap(([name, value]) => toParameters(name, value)),
    ),
  );
  const headers = new Headers(options.headers);
  const token = typeof client.token === 'function' ? await client.token() : client.token;
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (options.ifMatch !== undefined) headers.set('If-Match', toTag(options.ifMatch));
  if (!isRead && kind === undefined) headers.set('Idempotency-Key', options.idempotencyKey ?? createKey());
  let body: BodyInit | null = null;
  if (kind === 'bytes') {
    body = rest.body as BodyInit;
    headers.set('Content-Type', 'application/octet-stream');
  } else if (hasBody) {
    body = JSON.stringify(Object.fromEntries(entries.filter(([name]) => !isInQuery(name))));
    headers.set('Content-Type', 'application/json');
  }
  const origin = client.baseUrl.replace(/(\/v1)?\/*$/, '');
  const { text, link, tag } = await sendWithRetries(
    client,
    `${origin}/v1${filled}${query && `?${query}`}`,
    { method, headers, body, signal: options.signal ?? null },
    kind !== 'public',
  );
  const value: unknown = JSON.parse(text);
  if (tag !== null && typeof value === 'object' && value !== null) tags.set(value, tag);
  return { value, cursor: readCursor(link) };
}

function toTag(match: object | string | number): string {
  if (typeof match !== 'object') return String(match);
  const tag = tags.get(match);
  if (tag === undefined)
    throw new TypeError('ifMatch must be a result of this client; this object has no ETag');
  return tag;
}

/** A list is sent with commas. An object is a group of parameters, such as the filters by custom fields. */
function toParameters(name: string, value: unknown): [string, string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([key, each]) => [key, String(each)]);
  }
  return [[name, String(value)]];
}

/** Reads only the cursor, so that the token is never sent to another address. */
function readCursor(link: string | null): string | null {
  const [, next] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? [];
  return next === undefined ? null : new URL(next).searchParams.get('cursor');
}

/** `crypto.randomUUID` isn't available to pages without HTTPS. */
export function createKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
