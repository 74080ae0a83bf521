import { DurableObject } from 'cloudflare:workers';
import { type RecordedError, toErrorKey } from './recent-errors.ts';

const ERRORS_MAX = 200;
const KEY_PREFIX = 'error:';

/** Stores the latest errors for the operator page. Uses no database, because a database may have caused them. */
export class ErrorLog extends DurableObject<Env> {
  readonly #errors = new Map<string, RecordedError>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const stored = [...ctx.storage.kv.list<RecordedError>({ prefix: KEY_PREFIX })];
    stored.sort(([, a], [, b]) => a.lastAt - b.lastAt);
    for (const [key, error] of stored) this.#errors.set(key, error);
  }

  async record(errors: readonly RecordedError[]): Promise<void> {
    for (const error of errors) {
      const key = KEY_PREFIX + toErrorKey(error);
      const known = this.#errors.get(key);
      const merged = known ? mergeErrors(known, error) : error;
      this.#errors.delete(key);
      this.#errors.set(key, merged);
      this.ctx.storage.kv.put(key, merged);
    }
    for (const key of [...this.#errors.keys()].slice(0, Math.max(0, this.#errors.size - ERRORS_MAX))) {
      this.#errors.delete(key);
      this.ctx.storage.kv.delete(key);
    }
  }

  async list(): Promise<RecordedError[]> {
    return [...this.#errors.values()].reverse();
  }
}

/** Compares times, because isolates report late and in any order. */
function mergeErrors(known: RecordedError, error: RecordedError): RecordedError {
  return {
    ...error,
    count: known.count + error.count,
    firstAt: Math.min(known.firstAt, error.firstAt),
    lastAt: Math.max(known.lastAt, error.lastAt),
    requestId: error.requestId ?? known.requestId,
  };
}
