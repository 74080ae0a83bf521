import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/dates/durations.ts';
import { CELL_BYTES_MAX, type CellUsage } from '../../workspaces/directory/cell-usage.ts';

const FIRST_REPORT_MINUTES = 10;
const REPORTED_BYTES_CHANGE_MIN = 1_000_000;
/** A threshold is reported again only after the size has fallen below this share of the threshold. */
const THRESHOLD_RESET_SHARE = 0.9;

/** Sizes in bytes. At the first size, a cell raises an alarm. At the second, it closes to new workspaces. */
const thresholds = [5e9, CELL_BYTES_MAX] as const;

export interface UsageState {
  /** The last day's samples and the newest one before, oldest first, up to one per hour. An idle cell adds none. */
  readonly samples: readonly { readonly at: number; readonly created: number }[];
  readonly reported: (CellUsage & { readonly at: number }) | null;
  readonly passed: number;
}

export interface TrackedUsage {
  readonly memory: UsageState;
  readonly report: CellUsage | null;
  readonly reached: number | null;
}

export const emptyUsageState: UsageState = { samples: [], reported: null, passed: 0 };

/** Returns the same `memory` object if there is nothing to store. */
export function trackUsage(
  memory: UsageState,
  { bytes, created }: { bytes: number; created: number },
  now: number,
  cell: number,
): TrackedUsage {
  const samples = addSample(memory.samples, created, now);
  const usage = { bytes, changes: Math.max(0, created - (samples[0]?.created ?? created)) };
  const passed = findReportedThreshold(memory.passed, bytes);
  const reached = passed > memory.passed ? passed : null;
  const isReported = reached !== null || shouldReportUsage({ ...memory, samples }, usage, now, cell);
  const isSame = samples === memory.samples && passed === memory.passed && !isReported;
  return {
    memory: isSame
      ? memory
      : { samples, passed, reported: isReported ? { ...usage, at: now } : memory.reported },
    report: isReported ? usage : null,
    reached,
  };
}

function addSample(samples: UsageState['samples'], created: number, now: number): UsageState['samples'] {
  const last = samples.at(-1);
  const isDue = !last || (now - last.at >= HOUR_MS && created !== last.created);
  // Keeps the newest sample that is at least a day old, as the baseline for counting the day's changes.
  const start = samples.findLastIndex(({ at }) => at <= now - DAY_MS);
  const kept = start > 0 ? samples.slice(start) : samples;
  return isDue ? [...kept, { at: now, created }] : kept;
}

function findReportedThreshold(before: number, bytes: number): number {
  const reached = thresholds.findLast((threshold) => bytes >= threshold) ?? 0;
  if (reached >= before) return reached;
  return bytes < before * THRESHOLD_RESET_SHARE ? reached : before;
}

function shouldReportUsage(
  { reported, samples }: UsageState,
  usage: CellUsage,
  now: number,
  cell: number,
): boolean {
  if (!reported) return now - (samples[0]?.at ?? now) >= (cell % FIRST_REPORT_MINUTES) * MINUTE_MS;
  if (now - reported.at < HOUR_MS) return false;
  return (
    usage.changes !== reported.changes || Math.abs(usage.bytes - reported.bytes) >= REPORTED_BYTES_CHANGE_MIN
  );
}
