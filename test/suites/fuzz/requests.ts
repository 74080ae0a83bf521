// This file is long because all parts of a request are generated from the same operation, and encoded with the same
// functions.
import fc from 'fast-check';
import { listPathParameters, type Route } from '../../../src/kernel/http/route.ts';
import { getDocumentedOperation } from '../../support/contract.ts';
import { generateHostileBody, hostileBytes } from './bodies.ts';
import { generateValidValue, type JsonSchema, type ValuePool } from './generate-values.ts';
import { hostileText, prototypeNames } from './hostile-values.ts';
import type { Json } from './json.ts';

/** A request whose parts can all be printed, so that it can be repeated. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: JsonSchema;
}

export interface FuzzInputs {
  readonly pool: ValuePool;
  readonly tokens: readonly string[];
}

/** Generates valid, almost valid and absurd requests to one operation. */
export function generateRequests(route: Route, { pool, tokens }: FuzzInputs): fc.Arbitrary<WireRequest> {
  const { parameters = [], requestBody } = getDocumentedOperation(route) as unknown as {
    parameters?: Parameter[];
    requestBody?: { content: Record<string, { schema: JsonSchema }> };
  };
  const { 'application/json': json, 'application/octet-stream': binary } = requestBody?.content ?? {};
  const anyBody = binary ? hostileBytes : generateHostileBody(json?.schema ?? { properties: {} }, pool);
  const mayCarryBody = route.method !== 'GET';
  const body = route.method === 'DELETE' ? fc.option(anyBody, { freq: 1 }) : anyBody;
  return fc
    .record({
      method: generateMethod(route.method),
      path: generatePath(route, pool),
      query: generateQuery(
        parameters.filter((each) => each.in === 'query'),
        pool,
      ),
      credential: generateCredential(tokens),
      headers: extraHeaders,
      body: mayCarryBody ? body : fc.constant(null),
    })
    .map(({ method, path, query, credential, headers, body }) => ({
      method,
      target: `/v1${path}${query}`,
      headers: [
        ...(credential === null ? [] : [['Authorization', credential] as const]),
        ...(binary ? [['Content-Length', String(body?.byteLength ?? 0)] as const] : []),
        ...headers,
      ],
      body: method === 'GET' || method === 'HEAD' ? null : body,
    }));
}

/** Generates requests to URLs that usually match no route. */
export function generateUnroutedRequests({ tokens }: Pick<FuzzInputs, 'tokens'>): fc.Arbitrary<WireRequest> {
  const start = fc.constantFrom(
    '/v1/',
    '/v1',
    '/',
    '/v1/tasks/',
    '/v1/../',
    '//',
    '/docs/',
    '/files/',
    '/.well-known/',
    '/V1/tasks/',
  );
  return fc
    .record({
      method: fc.constantFrom(
        'GET',
        'HEAD',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'PROPFIND',
        'QUERY',
      ),
      start,
      rest: fc.array(pathSegment, { maxLength: 4 }),
      query: generateQuery([], {}),
      credential: generateCredential(tokens),
      headers: extraHeaders,
    })
    .map(({ method, start, rest, query, credential, headers }) => ({
      method,
      target: `${start}${rest.join('/')}${query}`,
      headers: [...(credential === null ? [] : [['Authorization', credential] as const]), ...headers],
      body: null,
    }));
}

function generateMethod(method: string): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    'HEAD',
    'OPTIONS',
    'PUT',
    'DELETE',
    'POST',
    'PATCH',
    'GET',
    'PROPFIND',
    'QUERY',
  );
  return fc.oneof({ weight: 30, arbitrary: fc.constant(method) }, { weight: 1, arbitrary: odd });
}

/** Replaces unpaired surrogates, because UTF-8 can't represent them. */
function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

const pathSegment: fc.Arbitrary<string> = fc.oneof(
  hostileText.map(percentEncode),
  fc.constantFrom(
    '',
    '%',
    '%zz',
    '%E0%A4',
    '%ED%A0%80',
    '%FF',
    '%00',
    '1%2F2',
    '1%252F2',
    '%2e%2e',
    '%31',
    '1%20',
    '+1',
    '-1',
    '1.0',
    '1e3',
    '0x1',
    '0',
    '00000000000000001',
    '999999999999999',
    '9007199254740993',
    '99999999999999999999',
    ';a=b',
    '1;a=b',
    '*',
    ':id',
    '{id}',
    'count',
    'read-all',
    'api-keys',
    'me',
  ),
);

function generatePath(route: Route, pool: ValuePool): fc.Arbitrary<string> {
  const collection = route.path.split('/')[1] ?? '';
  const values = listPathParameters(route.path).map((name, index) => {
    const known = (index === 0 ? pool[`/${collection}`] : undefined) ?? pool[name] ?? [1, 2, 3];
    return fc.oneof(
      { weight: 7, arbitrary: fc.constantFrom(...known).map((each) => percentEncode(String(each))) },
      { weight: 2, arbitrary: pathSegment },
    );
  });
  return fc
    .tuple(...values)
    .map((found) => found.reduce((path, each) => path.replace(/:\w+/, () => each), route.path));
}

type HeaderPair = readonly [name: string, value: string];

function generateQuery(parameters: readonly Parameter[], pool: ValuePool): fc.Arbitrary<string> {
  const valid = parameters.map(({ name, schema }) =>
    generateValidValue(schema, name, pool).map(
      (value): HeaderPair => [percentEncode(name), percentEncode(toText(value))],
    ),
  );
  const name = fc.oneof(
    ...(parameters.length > 0
      ? [fc.constantFrom(...parameters.map((each) => each.name)).map(percentEncode)]
      : []),
    fc
      .constantFrom(
        ...prototypeNames,
        'fields',
        'expand',
        'cursor',
        'limit',
        'offset',
        'id',
        'limit[]',
        'a[b]',
        '',
      )
      .map(percentEncode),
    hostileText.map((text) => percentEncode(text.slice(0, 300))),
  );
  const value = fc.oneof(
    hostileText.map((text) => percentEncode(text.slice(0, 3000))),
    fc.constantFrom(
      '',
      '%',
      '%E0%A4',
      '%ED%A0%80',
      '%00',
      '+',
      'a+b',
      '1,2,3',
      ',',
      ',,',
      '__proto__',
      'id,constructor',
      '1;2',
    ),
    fc.constantFrom(
      '0',
      '-1',
      '1e3',
      '1.5',
      '101',
      '9007199254740991',
      '9007199254740992',
      '9999999999999999',
      'NaN',
      'true',
      'TRUE',
      'null',
    ),
  );
  const pairs = fc.record({
    valid: generateIndexes(valid.length),
    values: fc.tuple(...valid),
    hostile: fc.oneof(
      { weight: 3, arbitrary: fc.constant<HeaderPair[]>([]) },
      { weight: 2, arbitrary: fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 2 }) },
    ),
    repeats: fc.integer({ min: 0, max: 15 }),
  });
  return pairs.map(({ valid, values, hostile, repeats }) => {
    const chosen = [...valid.map((index) => values[index] as HeaderPair), ...hostile];
    const all = repeats === 0 ? [...chosen, ...chosen] : chosen;
    return all.length === 0 ? '' : `?${all.map(([name, value]) => `${name}=${value}`).join('&')}`;
  });
}

function generateIndexes(length: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length }, (_, index) => index);
  return fc.shuffledSubarray(all, { maxLength: Math.min(length, 4) });
}

function toText(value: Json): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function generateCredential(tokens: readonly string[]): fc.Arbitrary<string | null> {
  const held = fc.constantFrom(...tokens);
  const toBase64Url = (text: string) => btoa(text).replace(/=+$/, '');
  const odd = fc.oneof(
    fc.constantFrom<string | null>(
      null,
      '',
      'Bearer',
      'Bearer ',
      'Basic dXNlcjpwYXNz',
      'Bearer null',
      'Bearer a b',
      'Bearer ..',
      'Bearer a.b.c',
      'Bearer ew_live_',
      'Bearer ew_oat_',
      `Bearer ew_live_${'0'.repeat(35)}`,
      `Bearer ${'x'.repeat(16_000)}`,
      `Bearer ${toBase64Url('{"alg":"none"}')}.${toBase64Url('{"sub":"x","cell":0}')}.`,
      `Bearer ${toBase64Url('{"alg":"HS256","typ":"JWT"}')}.${toBase64Url('null')}.${toBase64Url('x')}`,
      `Bearer ${toBase64Url('{"alg":"HS256"}')}.${toBase64Url('{"__proto__":{"cell":77},"exp":1e99}')}.AAAA`,
      'Bearer ew_live_00\u0000',
    ),
    held.map((token) => `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
    held.map((token) => `Bearer ${token}, Bearer ${token}`),
    held.map((token) => `bearer   ${token} `),
    held.map((token) => token),
  );
  return fc.oneof(
    { weight: 12, arbitrary: held.map((token) => `Bearer ${token}`) },
    { weight: 1, arbitrary: odd },
  );
}

const headerText = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    'x',
    '"x"',
    'W/"1"',
    '"a", "b"',
    'a'.repeat(255),
    'a'.repeat(256),
    '__proto__',
    '"',
    "'--",
    '0',
    '-1',
  ),
  fc.string({ unit: fc.constantFrom(...'azAZ09 \t"\'\\,;=/*'), maxLength: 30 }),
);

const extraHeaders: fc.Arbitrary<(readonly [string, string])[]> = fc
  .record({
    type: fc.oneof(
      { weight: 4, arbitrary: fc.constant('application/json') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '',
          'text/plain',
          'application/json; charset=utf-16',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'multipart/form-data',
          'application/octet-stream',
          'application/json, text/html',
          '/',
          ';',
        ),
      },
    ),
    address: fc.oneof(
      { weight: 6, arbitrary: fc.ipV4() },
      { weight: 2, arbitrary: fc.ipV6() },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '',
          'unknown',
          '::',
          '1.2.3',
          "' OR 1=1",
          '2001:db8::1%eth0',
          '203.0.113.7',
        ),
      },
    ),
    // There are only four keys, so that some requests reuse one.
    once: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { freq: 1, nil: null }),
    odd: fc.oneof(
      { weight: 3, arbitrary: fc.constant<(readonly [string, string])[]>([]) },
      {
        weight: 1,
        arbitrary: fc.array(
          fc.tuple(
            fc.constantFrom(
              'Idempotency-Key',
              'If-Match',
              'If-None-Match',
              'X-HTTP-Method-Override',
              'X-Forwarded-For',
              'X-Forwarded-Host',
              'X-Chunk-SHA256',
              'Accept',
              'Accept-Encoding',
              'Content-Encoding',
              'Origin',
              'Range',
              'Cookie',
              'Access-Control-Request-Method',
            ),
            headerText,
          ),
          { minLength: 1, maxLength: 2 },
        ),
      },
    ),
  })
  .map(({ type, address, once, odd }) => [
    ['Content-Type', type],
    ['CF-Connecting-IP', address],
    ...(once === null ? [] : [['Idempotency-Key', once] as const]),
    ...odd,
  ]);
