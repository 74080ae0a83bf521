import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import worker from '../../src/index.ts';
import { assertDocumented, findRoute } from './contract.ts';
import { env } from './env.ts';
import { countRejectedBatches, meterDatabase, takeViolations } from './metered-d1.ts';
import { getStatementLimit } from './statement-limit.ts';

/** A request may send this many statements per attempt (src/kernel/execute/execute.ts). */
export const ORIGIN = 'https://edgework.test';

export interface Cost {
  trips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: every response has already been validated against the contract.
  body: any;
  /** The body as it was received, for byte-by-byte comparisons. */
  text: string;
  headers: Headers;
  cost: Cost;
}

export const meteredEnv: Env = {
  ...env,
  DIRECTORY: meterDatabase(env.DIRECTORY),
  CELL_0: meterDatabase(env.CELL_0),
  CELL_1: meterDatabase(env.CELL_1),
} as Env;

/** Sends any request to the worker, and waits for the work after the response. */
export async function send(request: Request, variables: Partial<Env> = {}): Promise<Response> {
  takeViolations();
  const rejectedBefore = countRejectedBatches();
  const context = createExecutionContext();
  const bindings = Object.keys(variables).length > 0 ? { ...meteredEnv, ...variables } : meteredEnv;
  const response = await worker.fetch(
    request as Request<unknown, IncomingRequestCfProperties>,
    bindings,
    context,
  );
  await waitOnExecutionContext(context);
  const violations = takeViolations();
  const { pathname } = new URL(request.url);
  if (violations.length > 0) throw new Error(`${request.method} ${pathname}: ${violations.join('\n')}`);
  const { statements } = readCost(response.headers);
  const allowed = getStatementLimit(pathname) * (1 + countRejectedBatches() - rejectedBefore);
  if (statements > allowed) {
    throw new Error(`${request.method} ${pathname} sent ${statements} statements; ${allowed} are allowed`);
  }
  return response;
}

type RequestBody = Record<string, unknown> | string;
type ExtraHeaders = Record<string, string>;

/**
 * Creates a REST client with this bearer token. Paths are relative to `/v1`, and string bodies are sent unchanged.
 * Every response is checked against the OpenAPI document.
 */
export function api(token?: string, variables: Partial<Env> = {}) {
  const call = async (
    method: string,
    path: string,
    body?: RequestBody,
    extra: ExtraHeaders = {},
  ): Promise<ApiResponse> => {
    const request = new Request(`${ORIGIN}/v1${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...extra,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await send(request, variables);
    const text = await response.text();
    const { pathname, searchParams } = new URL(request.url);
    const answer: ApiResponse = {
      status: response.status,
      body: parseBody(text, `${method} ${path}`),
      text,
      headers: response.headers,
      cost: readCost(response.headers),
    };
    const route = findRoute(method, pathname.slice('/v1'.length));
    assertDocumented(route, answer, { isTrimmed: searchParams.has('fields') });
    if (answer.status === 500)
      throw new Error(`${method} ${path} returned 500; the cause is in the log above`);
    return answer;
  };
  return {
    get: (path: string, extra?: ExtraHeaders) => call('GET', path, undefined, extra),
    post: (path: string, body?: RequestBody, extra?: ExtraHeaders) => call('POST', path, body, extra),
    patch: (path: string, body?: RequestBody, extra?: ExtraHeaders) => call('PATCH', path, body, extra),
    put: (path: string, body?: RequestBody, extra?: ExtraHeaders) => call('PUT', path, body, extra),
    delete: (path: string, extra?: ExtraHeaders) => call('DELETE', path, undefined, extra),
    call,
  };
}

function parseBody(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} returned something that is not JSON: ${text.slice(0, 500)}`);
  }
}

export function readCost(headers: Headers): Cost {
  const found = Object.fromEntries(
    [...(headers.get('X-Cost') ?? '').matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  );
  return {
    trips: found.trips ?? 0,
    statements: found.statements ?? 0,
    rowsRead: found.rows_read ?? 0,
    rowsWritten: found.rows_written ?? 0,
  };
}

/** Returns the path of the next page from the Link header, or null on the last page. */
export function getNextPath({ headers }: Pick<ApiResponse, 'headers'>): string | null {
  const link = /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
  return link === undefined ? null : link.replace(`${ORIGIN}/v1`, '');
}
