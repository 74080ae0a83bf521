import QuickLRU from 'quick-lru';
import type { RequestScope } from '../operation/request-scope.ts';
import { hitWindow } from './rate-limit.ts';
import { type RateVerdict, toRateVerdict, type Window } from './window.ts';

/** An isolate or object that ends loses fewer unreported hits than this. */
const HITS_PER_REPORT = 8;
const TALLIES_MAX = 10_000;

/** The last state reported by the object, and this isolate's hits since. */
interface Tally extends Window {
  unreported: number;
}

const tallies = new QuickLRU<string, Tally>({ maxSize: TALLIES_MAX });

/** Hits are counted locally, and every eighth one reports all of them. The count lags by hits of other isolates. */
export function announceHit(
  scope: Pick<RequestScope, 'env' | 'id' | 'now'>,
  name: string,
  limit: number,
  windowMs: number,
): RateVerdict | Promise<RateVerdict | null> {
  const { now } = scope;
  const known = tallies.get(name);
  const tally = known && now < known.endsAt ? known : null;
  if (!tally || tally.unreported === HITS_PER_REPORT - 1)
    return reportHits(scope, name, tally, limit, windowMs);
  tally.hits += 1;
  tally.unreported += 1;
  return toRateVerdict(tally, limit, now);
}

async function reportHits(
  scope: Pick<RequestScope, 'env' | 'id' | 'now'>,
  name: string,
  tally: Tally | null,
  limit: number,
  windowMs: number,
): Promise<RateVerdict | null> {
  const hits = (tally?.unreported ?? 0) + 1;
  // Hits that arrive before the object responds are counted locally.
  if (tally) tally.unreported = 0;
  const verdict = await hitWindow(scope, name, limit, windowMs, { hits });
  if (verdict) {
    const unreported = tally?.unreported ?? 0;
    const endsAt = scope.now + verdict.resetSeconds * 1000;
    tallies.set(name, { endsAt, hits: limit - verdict.remaining + unreported, unreported });
  }
  return verdict;
}
