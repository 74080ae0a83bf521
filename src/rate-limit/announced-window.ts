import QuickLRU from 'quick-lru';
import type { RequestScope } from '../kernel/request-scope.ts';
import { hitWindow } from './rate-limit.ts';
import { judge, type RateVerdict, type Window } from './window.ts';

/** An isolate that ends has kept fewer hits than this to itself; an eviction of the object forgives as many. */
const HITS_A_REPORT = 8;
const TALLIES_MAX = 10_000;

/** A window as this isolate last heard of it, and what it has counted since. */
interface Tally extends Window {
  unreported: number;
}

const tallies = new QuickLRU<string, Tally>({ maxSize: TALLIES_MAX });

/**
 * Counts a hit of a window that refuses nothing and is only announced: most hits are counted here, at once, and every
 * eighth tells the object of all of them. So the object costs an eighth, and the figure is at most a few hits of other
 * isolates behind.
 */
export function announceHit(
  scope: Pick<RequestScope, 'env' | 'id' | 'now'>,
  name: string,
  limit: number,
  windowMs: number,
): RateVerdict | Promise<RateVerdict | null> {
  const { now } = scope;
  const known = tallies.get(name);
  const tally = known && now < known.endsAt ? known : null;
  if (!tally || tally.unreported === HITS_A_REPORT - 1) return report(scope, name, tally, limit, windowMs);
  tally.hits += 1;
  tally.unreported += 1;
  return judge(tally, limit, now);
}

async function report(
  scope: Pick<RequestScope, 'env' | 'id' | 'now'>,
  name: string,
  tally: Tally | null,
  limit: number,
  windowMs: number,
): Promise<RateVerdict | null> {
  const hits = (tally?.unreported ?? 0) + 1;
  // Whoever comes before the object answers counts here again.
  if (tally) tally.unreported = 0;
  const verdict = await hitWindow(scope, name, limit, windowMs, { hits });
  if (verdict) {
    const unreported = tally?.unreported ?? 0;
    const endsAt = scope.now + verdict.resetSeconds * 1000;
    tallies.set(name, { endsAt, hits: limit - verdict.remaining + unreported, unreported });
  }
  return verdict;
}
