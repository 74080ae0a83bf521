import { DurableObject } from 'cloudflare:workers';
import { type RateVerdict, type RateWindowState, toRateVerdict } from './rate-verdict.ts';

export interface HitOptions {
  /** Stores every hit up to the limit, so that an eviction loses none. This costs one write per hit. */
  readonly durable?: boolean;
  readonly hits?: number;
}

const WINDOW_KEY = 'window';
/** An eviction loses fewer hits than this, and no durable hits. */
const HITS_BETWEEN_WRITES = 8;

export class RateWindow extends DurableObject<Env> {
  #window: RateWindowState | null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#window = ctx.storage.kv.get<RateWindowState>(WINDOW_KEY) ?? null;
  }

  async hit(limit: number, windowMs: number, options: HitOptions = {}): Promise<RateVerdict> {
    const now = Date.now();
    const current = this.#getCurrentWindow(now);
    const window = current ?? { endsAt: now + windowMs, hits: 0 };
    this.#window = window;
    const before = window.hits;
    window.hits += options.hits ?? 1;
    if (shouldStoreWindow(before, window.hits, limit, options)) this.ctx.storage.kv.put(WINDOW_KEY, window);
    if (!current) await this.ctx.storage.setAlarm(window.endsAt);
    return toRateVerdict(window, limit, now);
  }

  async peek(limit: number, more = 1): Promise<RateVerdict> {
    const now = Date.now();
    const { endsAt, hits } = this.#getCurrentWindow(now) ?? { endsAt: now, hits: 0 };
    return toRateVerdict({ endsAt, hits: hits + more }, limit, now);
  }

  async clear(limit: number): Promise<RateVerdict> {
    const verdict = await this.peek(limit);
    if (verdict.allowed && this.#window !== null) {
      this.#window = null;
      await this.ctx.storage.deleteAll();
    }
    return verdict;
  }

  #getCurrentWindow(now: number): RateWindowState | null {
    return this.#window !== null && now < this.#window.endsAt ? this.#window : null;
  }

  override async alarm() {
    const endsAt = this.#window?.endsAt ?? 0;
    // A late or repeated alarm must not end a newer window.
    if (Date.now() < endsAt) {
      await this.ctx.storage.setAlarm(endsAt);
      return;
    }
    this.#window = null;
    await this.ctx.storage.deleteAll();
  }
}

function shouldStoreWindow(before: number, hits: number, limit: number, options: HitOptions): boolean {
  // Once the limit is exceeded, hits aren't stored, so that a flood causes no writes.
  if (before > limit) return false;
  // A full window is stored, so that it stays full after an eviction.
  if (options.durable || before === 0 || hits >= limit) return true;
  return Math.floor(hits / HITS_BETWEEN_WRITES) > Math.floor(before / HITS_BETWEEN_WRITES);
}
