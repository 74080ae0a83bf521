import QuickLRU from 'quick-lru';
import type { RequestScope } from '../operation/request-scope.ts';
import { countHit } from './rate-limit.ts';
import { type RateVerdict, type RateWindowState, toRateVerdict } from './rate-verdict.ts';

/** An evicted isolate loses fewer hits than this per counter. */
const HITS_PER_REPORT = 8;
const LOCAL_COUNTS_MAX = 10_000;

interface LocalCount extends RateWindowState {
  unreported: number;
}

const localCounts = new QuickLRU<string, LocalCount>({ maxSize: LOCAL_COUNTS_MAX });

/**
 * Counts hits locally. Reports the first hit at once and then eight at a time, so the count lacks other isolates'
 * recent hits.
 */
export function countHitLocally(
  scope: Pick<RequestScope, 'env' | 'id' | 'now'>,
  name: string,
  limit: number,
  windowMs: number,
): RateVerdict | Promise<RateVerdict | null> {
  const { now } = scope;
  const known = localCounts.get(name);
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
  tally: LocalCount | null,
  limit: number,
  windowMs: number,
): Promise<RateVerdict | null> {
  const hits = (tally?.unreported ?? 0) + 1;
  // Resets the count before the call, so that hits during the call are counted.
  if (tally) tally.unreported = 0;
  const verdict = await countHit(scope, name, limit, windowMs, { hits });
  if (verdict) {
    const unreported = tally?.unreported ?? 0;
    const endsAt = scope.now + verdict.resetSeconds * 1000;
    localCounts.set(name, { endsAt, hits: limit - verdict.remaining + unreported, unreported });
  }
  return verdict;
}
