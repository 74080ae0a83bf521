import { errorStatus } from '../../../src/kernel/errors/errors.ts';
import type { Route } from '../../../src/kernel/http/route.ts';
import { s3 } from '../../files/attachments/presigning.ts';
import { ORIGIN, send } from '../../support/api.ts';
import { assertDocumented, findRoute } from '../../support/contract.ts';
import type { WireRequest } from './requests.ts';
import type { WriteLog } from './watch-writes.ts';

const MESSAGE_MAX = 4000;
const LONE_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Throws if the response violates the contract. Returns the status. */
export async function checkRequest(wire: WireRequest, store: WriteLog): Promise<number> {
  const request = toRequest(wire);
  const bindings = { ...s3, ...store.bindings };
  const response = await send(request, bindings);
  const text = await response.text();
  const { status, headers } = response;
  assertThat(status < 500, `returned ${status}: ${text.slice(0, 300)}`);
  assertThat(Object.keys(Object.prototype).length === 0, 'the prototype of every object was changed');
  assertThat(/^[0-9a-f-]{36}$/.test(headers.get('X-Request-Id') ?? ''), 'no X-Request-Id');

  const writes = store.takeWrites();
  const mayWrite = status < 300 && !['GET', 'HEAD', 'OPTIONS'].includes(wire.method);
  assertThat(mayWrite || writes.length === 0, `returned ${status} and wrote ${writes.join('; ')}`);

  const { pathname, searchParams } = new URL(request.url);
  if (status === 304 || wire.method === 'HEAD' || (wire.method === 'OPTIONS' && status === 204)) {
    assertThat(text === '', `has a body although none is allowed: ${text.slice(0, 300)}`);
    return status;
  }
  if (!pathname.startsWith('/v1/')) return status;
  assertThat(
    headers.get('Content-Type')?.startsWith('application/json') === true,
    'has a Content-Type other than JSON',
  );
  const body = JSON.parse(text);
  const route = findRouteByPath(wire.method, pathname);
  assertDocumented(route, { status, body, headers }, { isTrimmed: searchParams.has('fields') });
  assertThat(!LONE_SURROGATE.test(text), `contains half a surrogate pair: ${text.slice(0, 500)}`);
  if (status >= 400) checkError(status, body, headers);
  else if (route) checkVerbatim(route, wire, body);
  return status;
}

function checkError(
  status: number,
  { error }: { error: { code: string; message: string } },
  headers: Headers,
) {
  const usual = errorStatus[error.code as keyof typeof errorStatus];
  assertThat(usual === status || (status === 412 && usual === 400), `${status} with the code ${error.code}`);
  assertThat(error.message.length <= MESSAGE_MAX, `a message of ${error.message.length} characters`);
  if (status === 401) assertThat(headers.has('WWW-Authenticate'), '401 without WWW-Authenticate');
  if (status === 429) assertThat(Number(headers.get('Retry-After')) > 0, '429 without Retry-After');
}

const verbatimOperations = ['createTask', 'updateTask', 'addComment', 'updateComment', 'createMeeting'];

/** Checks that typed text is returned unchanged (docs/contract.md#text). */
function checkVerbatim(route: Route, { body }: WireRequest, answer: Record<string, unknown>) {
  if (!body || !verbatimOperations.includes(route.operation.name)) return;
  const sent = JSON.parse(new TextDecoder().decode(body).trim() || '{}') as Record<string, unknown>;
  for (const name of ['name', 'content', 'location', 'meetingLink', 'deadline', 'customEstimatedHours']) {
    if (sent[name] === undefined) continue;
    assertThat(
      answer[name] === sent[name],
      `${name} came back as ${JSON.stringify(answer[name])?.slice(0, 300)}`,
    );
  }
}

function toRequest({ method, target, headers, body }: WireRequest): Request {
  return new Request(`${ORIGIN}${target}`, {
    method,
    headers: toSendableHeaders(headers),
    body,
    redirect: 'manual',
  });
}

/** Looks for a route with the path as sent, and then with the decoded path, as the router does. */
function findRouteByPath(method: string, pathname: string): Route | null {
  const path = pathname.slice('/v1'.length);
  const plain = findRoute(method, path);
  if (plain || !path.includes('%')) return plain;
  try {
    return findRoute(method, decodeURI(path));
  } catch {
    return null;
  }
}

function toSendableHeaders(pairs: WireRequest['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) {
    try {
      headers.append(name, value);
    } catch {}
  }
  return headers;
}

function assertThat(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
