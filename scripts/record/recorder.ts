// Sends requests as somebody and writes down what was sent and answered, made comparable.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { type Answer, send } from './http.ts';
import type { Normaliser } from './normalise.ts';

/** Headers that say nothing of the answer, or differ by the clock and by what a counter knew in time. */
const unrecorded = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server-timing',
  'transfer-encoding',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);
/** Depend on the bytes of ids and times, or on the clock. */
const presentOnly = new Set(['etag', 'retry-after', 'last-modified']);

export interface Entry {
  readonly request: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

export interface Options {
  readonly headers?: OutgoingHttpHeaders;
  /** Text or bytes in place of JSON; says its own Content-Type in `headers`. */
  readonly raw?: string | Uint8Array;
}

/** An answer with ways to take values out of its JSON: `read('data.0.id')`. */
export interface Reply extends Answer {
  read<T = string>(path: string): T;
}

export interface Actor {
  call(method: string, path: string, body?: unknown, options?: Options): Promise<Reply>;
}

export class Recorder {
  readonly entries: Entry[] = [];
  /** What was called, for the coverage: method and path without query. */
  readonly called: { method: string; path: string; status: number; body: unknown }[] = [];
  readonly #origin: string;
  readonly #normaliser: Normaliser;
  readonly #sendRequest: typeof send;

  /** @param sendRequest for who wants to see or redirect what is sent. */
  constructor(origin: string, normaliser: Normaliser, sendRequest = send) {
    this.#origin = origin;
    this.#normaliser = normaliser;
    this.#sendRequest = sendRequest;
  }

  get origin(): string {
    return this.#origin;
  }

  /** What a page of the server says, without writing it down. */
  async look(path: string): Promise<string> {
    const { text } = await this.#sendRequest({
      method: 'GET',
      url: new URL(path, this.#origin).href,
      headers: {},
      body: null,
    });
    return text;
  }

  /** @param name how the record calls whoever sends. */
  as(name: string, credential?: string): Actor {
    const authorization = credential === undefined ? {} : { Authorization: `Bearer ${credential}` };
    return {
      call: (method, path, body, { headers = {}, raw } = {}) => {
        const isJson = body !== undefined;
        return this.#send(name, method, path, raw ?? (isJson ? JSON.stringify(body) : null), {
          ...authorization,
          ...(isJson && { 'Content-Type': 'application/json' }),
          ...headers,
        });
      },
    };
  }

  async #send(
    name: string,
    method: string,
    path: string,
    body: string | Uint8Array | null,
    headers: OutgoingHttpHeaders,
  ): Promise<Reply> {
    const url = new URL(path, this.#origin);
    const answer = await this.#sendRequest({ method, url: url.href, headers, body });
    const { text, json } = this.#normaliser;
    const sent = describeSent(body);
    this.called.push({ method, path: url.pathname, status: answer.status, body: sent });
    this.entries.push({
      request: text(`${name}: ${method} ${path}`),
      ...(body !== null && { sent: json(sent) }),
      status: answer.status,
      headers: isForeign(path) ? {} : this.#headers(answer.headers),
      body: isForeign(path) ? '<of the emulated storage>' : json(parsed(answer.text)),
    });
    return { ...answer, read: (wanted) => readPath(`${method} ${path}`, answer, wanted) };
  }

  #headers(headers: IncomingHttpHeaders): Record<string, unknown> {
    const shown = Object.entries(headers).filter(([name]) => !unrecorded.has(name));
    return Object.fromEntries(
      shown
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => [name, presentOnly.has(name) ? '<present>' : this.#normaliser.json(value)]),
    );
  }
}

/** What the runtime's emulation of R2 answers is none of ours, but for the status. */
function isForeign(path: string): boolean {
  return path.startsWith('/cdn-cgi/');
}

function describeSent(body: string | Uint8Array | null): unknown {
  return body instanceof Uint8Array ? `<${body.byteLength} bytes>` : parsed(body ?? '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readPath<T>(what: string, { status, text }: Answer, path: string): T {
  let value = parsed(text);
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name];
  if (value === undefined)
    throw new Error(`${what} answered ${status} without ${path}: ${text.slice(0, 500)}`);
  return value as T;
}
