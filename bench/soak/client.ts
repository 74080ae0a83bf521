// Sends requests to a server that is killed and restarted, until each one gets a definite response. MCP calls are sent
// only once.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const REQUEST_MS_MAX = 30_000;
const RETRY_MS = 250;
/** The soak fails if a request gets no response, or only 5xx, for this long. */
const GIVE_UP_MS = 180_000;

interface RequestFigures {
  requests: number;
  readonly byKind: Record<string, number>;
  unanswered: number;
  serverErrors: number;
  replayed: number;
  acknowledged: number;
  readonly milliseconds: number[];
}

export const figures: RequestFigures = {
  requests: 0,
  byKind: {},
  /** Requests without a response, because the server was down or went down. */
  unanswered: 0,
  serverErrors: 0,
  replayed: 0,
  acknowledged: 0,
  milliseconds: [],
};

export class RejectedRequestError extends Error {
  readonly status: number;

  constructor(what: string, status: number, text: string) {
    super(`${what} returned ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

interface ClientResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
}

type RequestBody = object | Uint8Array | undefined;

export interface Client {
  /** Repeats a request until the response isn't a 5xx. `attempts` counts how often the request was sent. */
  sendUntilAnswered(
    method: string,
    path: string,
    body?: RequestBody,
    headers?: Record<string, string>,
  ): Promise<ClientResponse & { attempts: number }>;
  read<T>(path: string): Promise<T>;
  write<T>(method: string, path: string, body?: object): Promise<T>;
  /** Needs no idempotency key, because uploading bytes twice is harmless. */
  upload(path: string, bytes: Uint8Array): Promise<unknown>;
  /** Calls an MCP tool once, because tools have no idempotency keys. Returns null if the outcome is unknown. */
  callTool<T>(name: string, args: object): Promise<T | null>;
}

interface ToolResponse {
  result?: { isError?: boolean; content?: unknown; structuredContent: unknown };
  error?: unknown;
}

/**
 * Opens a client with one person's credential. Sends every write with an Idempotency-Key until it is acknowledged, and
 * throws a 4xx as `RejectedRequestError`.
 */
export function openClient(origin: string, credential?: string): Client {
  async function send(
    method: string,
    path: string,
    body?: RequestBody,
    headers: Record<string, string> = {},
  ): Promise<ClientResponse> {
    const isBytes = body instanceof Uint8Array;
    const kind = `${method} ${path.replace(/\?.*/, '').replace(/\/(\d+|[\w-]{20,})(?=\/|$)/g, '/…')}`;
    figures.requests += 1;
    figures.byKind[kind] = (figures.byKind[kind] ?? 0) + 1;
    const startedAt = performance.now();
    const answer = await fetch(origin + path, {
      method,
      headers: {
        ...(credential && { Authorization: `Bearer ${credential}` }),
        ...(body !== undefined && {
          'Content-Type': isBytes ? 'application/octet-stream' : 'application/json',
        }),
        ...headers,
      },
      ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    figures.milliseconds.push(performance.now() - startedAt);
    return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString('utf8') };
  }

  async function sendUntilAnswered(
    method: string,
    path: string,
    body?: RequestBody,
    headers?: Record<string, string>,
  ) {
    const deadline = Date.now() + GIVE_UP_MS;
    for (let attempts = 1; ; attempts += 1) {
      let failure: unknown;
      try {
        const answer = await send(method, path, body, headers);
        if (answer.status < 500) return { ...answer, attempts };
        figures.serverErrors += 1;
        failure = new RejectedRequestError(`${method} ${path}`, answer.status, answer.text);
      } catch (error) {
        figures.unanswered += 1;
        failure = error;
      }
      if (Date.now() > deadline) throw failure;
      await sleep(RETRY_MS);
    }
  }

  function parse<T>(what: string, { status, text }: ClientResponse): T {
    if (status >= 400) throw new RejectedRequestError(what, status, text);
    try {
      return JSON.parse(text);
    } catch {
      throw new RejectedRequestError(what, status, text);
    }
  }

  return {
    sendUntilAnswered,
    async read<T>(path: string) {
      return parse<T>(`GET ${path}`, await sendUntilAnswered('GET', `/v1${path}`));
    },
    async write<T>(method: string, path: string, body?: object) {
      const answer = await sendUntilAnswered(method, `/v1${path}`, body, { 'Idempotency-Key': randomUUID() });
      const json = parse<T>(`${method} ${path} (sent ${answer.attempts} times)`, answer);
      figures.acknowledged += 1;
      if (answer.headers.get('Idempotent-Replayed') === 'true') figures.replayed += 1;
      return json;
    },
    async upload(path, bytes) {
      return parse(`POST ${path}`, await sendUntilAnswered('POST', `/v1${path}`, bytes));
    },
    async callTool<T>(name: string, args: object) {
      let answer: ClientResponse;
      try {
        answer = await send(
          'POST',
          '/mcp',
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
          {
            Accept: 'application/json, text/event-stream',
            'MCP-Protocol-Version': '2025-11-25',
          },
        );
      } catch {
        figures.unanswered += 1;
        return null;
      }
      if (answer.status >= 500) {
        figures.serverErrors += 1;
        return null;
      }
      const { result, error } = parse<ToolResponse>(`MCP ${name}`, answer);
      if (!result) throw new RejectedRequestError(`MCP ${name}`, answer.status, JSON.stringify(error));
      if (result.isError) {
        if (/went wrong on our end/.test(JSON.stringify(result.content))) return null;
        throw new RejectedRequestError(`MCP ${name}`, answer.status, JSON.stringify(result.content));
      }
      figures.acknowledged += 1;
      return result.structuredContent as T;
    },
  };
}
