import { createRequire } from 'node:module';
import type { Client as Connection } from 'undici';
import type { Call, Variant } from './request.ts';

const require = createRequire(
  createRequire(createRequire(import.meta.url).resolve('wrangler')).resolve('miniflare'),
);
const { Client }: typeof import('undici') = require('undici');

const TIMEOUT_MS = 120_000;

export interface CallResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export async function sendSingleCall(url: URL, call: Call): Promise<CallResponse> {
  const client = connect(url);
  try {
    return await send(client, call);
  } finally {
    await client.close();
  }
}

export function connect(url: URL): Connection {
  return new Client(url.origin, { pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
}

export async function send(client: Connection, { method, path, headers, body }: Call): Promise<CallResponse> {
  const answer = await client.request({ method, path, headers, body });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

export class LoadTarget {
  readonly #clients: readonly Connection[];
  readonly #positions = new Map<Variant, number>();

  constructor(url: URL, connections: number) {
    this.#clients = Array.from({ length: connections }, () => connect(url));
  }

  async close() {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  getNextCall(variant: Variant): Call {
    const position = this.#positions.get(variant) ?? 0;
    this.#positions.set(variant, (position + 1) % variant.length);
    const call = variant[position];
    if (!call) throw new Error('A variant has no call');
    return call;
  }

  /** Sends calls until the time is up, then waits for the responses. Returns the milliseconds per call and in total. */
  async run(
    variants: readonly Variant[],
    connections: number,
    ms: number,
  ): Promise<{ latencies: number[]; ms: number }> {
    const latencies: number[] = [];
    const startedAt = performance.now();
    const deadline = startedAt + ms;
    await Promise.all(
      this.#clients
        .slice(0, connections)
        .map((client, index) =>
          this.#sendCallsUntil(client, assignVariants(variants, index, connections), deadline, latencies),
        ),
    );
    return { latencies, ms: performance.now() - startedAt };
  }

  async #sendCallsUntil(
    client: Connection,
    turns: readonly Variant[],
    deadline: number,
    latencies: number[],
  ): Promise<void> {
    for (let turn = 0; performance.now() < deadline; turn += 1) {
      const call = this.getNextCall(turns[turn % turns.length] ?? []);
      const sentAt = performance.now();
      const answer = await client.request(call);
      await answer.body.dump({ limit: 1e9 });
      if (answer.statusCode >= 300)
        throw new Error(`${call.method} ${call.path} returned ${answer.statusCode}`);
      latencies.push(performance.now() - sentAt);
    }
  }
}

/**
 * The calls of a variant build on each other, so a variant with several calls is used by only one connection. If all
 * variants have a single call, every connection uses all variants, but starts with a different one.
 */
function assignVariants(
  variants: readonly Variant[],
  index: number,
  connections: number,
): readonly Variant[] {
  if (variants.some((variant) => variant.length > 1)) {
    return variants.filter((_, position) => position % connections === index);
  }
  const start = index % variants.length;
  return [...variants.slice(start), ...variants.slice(0, start)];
}

export function computeQuantile(sample: readonly number[], share: number): number {
  if (sample.length === 0) return Number.NaN;
  const sorted = Float64Array.from(sample).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
