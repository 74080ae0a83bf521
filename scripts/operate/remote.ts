// Lets the Worker's code use a production database through D1's HTTP API, which can run many statements in one
// transaction (https://developers.cloudflare.com/api/resources/d1/subresources/database/methods/query/).
import { setTimeout as sleep } from 'node:timers/promises';

export interface RemoteAccount {
  /** The URL of the API, including its version, without a trailing slash. */
  readonly base: string;
  readonly account: string;
  readonly token: string;
}

interface BoundStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

interface D1Response {
  success?: boolean;
  errors?: { code?: number; message?: string }[];
  result?: { results?: Record<string, unknown>[]; meta?: object; success?: boolean }[];
}

const REQUEST_MS_MAX = 120_000;
const ATTEMPTS_MAX = 5;
const TOO_MANY_REQUESTS = 429;

export function openRemoteDatabase({ base, account, token }: RemoteAccount, id: string): D1Database {
  const url = `${base}/accounts/${account}/d1/database/${id}/query`;
  const database = {
    prepare: (sql: string) => ({ bind: (...params: unknown[]): BoundStatement => ({ sql, params }) }),
    async batch(statements: readonly BoundStatement[]) {
      const answer = await sendBatch(url, token, { batch: statements });
      const results = answer.result ?? [];
      if (!answer.success || results.length !== statements.length) {
        const reasons = (answer.errors ?? []).map(({ code, message }) => `${message} (${code})`);
        throw new Error(
          `D1 rejected the batch: ${reasons.join('; ') || `${results.length} of ${statements.length} statements returned a result`}`,
        );
      }
      return results.map(({ results: rows = [], meta = {} }) => ({ results: rows, meta }));
    },
  };
  return database as unknown as D1Database;
}

/** Retries only requests that the rate limit rejected, because any other request may have been executed. */
async function sendBatch(url: string, token: string, body: object): Promise<D1Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    if (response.status !== TOO_MANY_REQUESTS || attempt === ATTEMPTS_MAX) {
      const text = await response.text();
      try {
        return JSON.parse(text) as D1Response;
      } catch {
        throw new Error(`D1 returned ${response.status}: ${text.slice(0, 300)}`);
      }
    }
    await response.body?.cancel();
    await sleep(Number(response.headers.get('Retry-After') ?? 0) * 1000 || 2 ** attempt * 1000);
  }
}
