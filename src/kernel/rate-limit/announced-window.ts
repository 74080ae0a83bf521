import QuickLRU from 'quick-lru';
import type { RequestScope } from '../operation/request-scope.ts';
import { hitWindow } from './rate-limit.ts';
import { type RateVerdict, toRateVerdict, type Window } from './window.ts';

/** An isolate or a Durable Object that is evicted loses fewer hits than this. */
const HITS_PER_REPORT = 8;
const TALLIES_MAX = 10_000;

/** The last state that the Durable Object returned, and this isolate's hits since then. */
interface Tally extends Window {
  unreported: number;
}

const tallies = new QuickLRU<string, Tally>({ maxSize: TALLIES_MAX });

/** Counts hits locally, and reports them with every eighth hit. Recent hits of other isolates are missing. */
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
  // Hits that arrive before the Durable Object responds are counted locally.
  if (tally) tally.unreported = 0;
  const verdict = await hitWindow(scope, name, limit, windowMs, { hits });
  if (verdict) {
    const unreported = tally?.unreported ?? 0;
    const endsAt = scope.now + verdict.resetSeconds * 1000;
    tallies.set(name, { endsAt, hits: limit - verdict.remaining + unreported, unreported });
  }
  return verdict;
}
