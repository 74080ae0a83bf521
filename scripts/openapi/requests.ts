// Builds requests from the OpenAPI document: each operation with the examples of its fields, as a tool such as Swagger
// UI would, and variations, most of which must be rejected.
import { type Document, getExample, type Operation } from './document.ts';

const REQUEST_MS_MAX = 60_000;
const PASSWORD = 'demo-password-1';
const order = ['post', 'get', 'put', 'patch', 'delete'];
/** Runs last, because it revokes the key that the other requests use. */
const LAST_OPERATION = 'revokeConnectedApp';
/** The examples of these operations return 404, because they need something that another request creates. */
const needCreatedEntity = new Set([
  'switchWorkspace',
  'confirmAttachment',
  'downloadTaskAttachment',
  'deleteTaskAttachment',
  'downloadProjectAttachment',
  'deleteProjectAttachment',
  'getUploadStatus',
  'uploadChunk',
  'completeUpload',
  'abortUpload',
  'deleteUpload',
]);

export interface RequestToSend {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Send = (request: RequestToSend, operation: Operation) => Promise<Answer>;

export interface SentRequest {
  readonly name: string;
  readonly request: RequestToSend;
  readonly answer: Answer;
  /** True if an example returned an unexpected status. */
  readonly isUnexpected: boolean;
}

export async function send({ method, url, headers, body }: RequestToSend): Promise<Answer> {
  const signal = AbortSignal.timeout(REQUEST_MS_MAX);
  const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
}

/**
 * Sends each operation without credentials, with an unknown field, with an unknown id and, if it reads, as a client.
 * Then sends each operation with its example.
 */
export async function sendDocumentRequests(
  origin: string,
  document: Document,
  sendRequest: Send = send,
): Promise<SentRequest[]> {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .toSorted((one, other) => order.indexOf(one.method) - order.indexOf(other.method))
    .toSorted((one, other) => Number(runsLast(one)) - Number(runsLast(other)));
  const session = await signIn('owner@demo.test');
  const client = await signIn('client@demo.test');
  const { key } = await post<{ key: string }>(
    '/connected-apps/api-keys',
    { name: 'examples' },
    buildAuthorization(session),
  );

  const sentRequests: SentRequest[] = [];
  for (const [kind, change] of rejections) {
    for (const each of operations) {
      const isPublic = each.operation['x-access'] === 'public';
      if (kind === 'anonymous' && isPublic) continue;
      if (kind === 'client' && (each.method !== 'get' || isPublic)) continue;
      if (kind === 'unknown id' && !each.path.includes('{')) continue;
      await sendOperation(kind, each, change);
    }
  }
  for (const each of operations) await sendOperation('example', each, {});
  return sentRequests;

  async function sendOperation(
    kind: string,
    { path, method, operation }: PathOperation,
    change: RequestChange,
  ) {
    const filled = buildRequest(path, operation, document, change);
    const isSession = operation['x-access'] === 'session';
    const token = change.credential === 'client' ? client : isSession ? session : key;
    const isSent = operation['x-access'] !== 'public' && change.credential !== 'none';
    const headers = { ...filled.headers, ...(isSent && buildAuthorization(token)) };
    const request = {
      method: method.toUpperCase(),
      url: `${origin}/v1${filled.path}`,
      headers,
      body: filled.body,
    };
    const answer = await sendRequest(request, operation);
    const isFine = needCreatedEntity.has(operation.operationId) ? answer.status === 404 : answer.status < 300;
    const name = `${kind}: ${operation.operationId}`;
    sentRequests.push({ name, request, answer, isUnexpected: kind === 'example' && !isFine });
  }

  async function signIn(email: string): Promise<string> {
    return (await post<{ token: string }>('/auth/login', { email, password: PASSWORD })).token;
  }

  async function post<T>(path: string, body: object, headers = {}): Promise<T> {
    const answer = await send({
      method: 'POST',
      url: `${origin}/v1${path}`,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`POST ${path} returned ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text);
  }
}

interface PathOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

interface RequestChange {
  readonly credential?: 'none' | 'client';
  readonly id?: string;
  readonly isUnknownFieldSent?: boolean;
}

const rejections: readonly (readonly [kind: string, change: RequestChange])[] = [
  ['anonymous', { credential: 'none' }],
  ['unknown field', { isUnknownFieldSent: true }],
  ['unknown id', { id: '999999' }],
  ['client', { credential: 'client' }],
];

function runsLast({ operation }: PathOperation): boolean {
  return operation.operationId === LAST_OPERATION;
}

function buildAuthorization(token: string) {
  return { Authorization: `Bearer ${token}` };
}

function buildRequest(path: string, operation: Operation, document: Document, change: RequestChange) {
  const { parameters = [], requestBody } = operation;
  const filled = (place: string) =>
    parameters.flatMap((each): [string, string][] => {
      // With `fields`, the response has a different schema, which only our OpenAPI extension specifies.
      const isSent = each.in === place && each.name !== 'fields';
      const example = isSent ? getExample(each.schema, document) : undefined;
      return example === undefined ? [] : [[each.name, String(example)]];
    });
  const json = requestBody?.content['application/json'];
  const example = json && (json.example ?? getExample(json.schema, document));
  const query = new URLSearchParams(filled('query'));
  if (change.isUnknownFieldSent && !json) query.set('unknownField', '1');
  const body = change.isUnknownFieldSent ? { ...(example as object), unknownField: 1 } : example;
  const address = filled('path').reduce(
    (rest, [name, value]) => rest.replace(`{${name}}`, change.id ?? value),
    path,
  );
  return {
    path: query.size > 0 ? `${address}?${query}` : address,
    headers: {
      ...Object.fromEntries(filled('header')),
      ...(requestBody && { 'Content-Type': json ? 'application/json' : 'application/octet-stream' }),
    },
    body: json ? JSON.stringify(body) : requestBody ? 'bytes' : null,
  };
}
