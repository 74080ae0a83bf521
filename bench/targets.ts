import { GZIP_BYTES_WARN } from '../scripts/deploy/bundle-check.ts';
import type { CheckedCost, MeasuredResult, Result } from './results.ts';

const RATIO_MIN = 0.6;
const GROWTH_MAX = 1.3;
const SMALL_SIZE = 10_000;
const LARGE_SIZE = 1_000_000;

const formatWhole = (value: number) => value.toLocaleString('en');

export interface Verdict {
  readonly size: number | null;
  readonly name: string;
  readonly isMissed: boolean;
  readonly text: string;
}

interface FixedResults {
  readonly bundle: { readonly gzipBytes: number };
  readonly results: readonly Result[];
  readonly counted: readonly (CheckedCost & { readonly size: number; readonly name: string })[];
}

/** Checks the targets that are the same on every machine: round trips, rows and bytes. */
export function checkFixedTargets({ bundle, results, counted }: FixedResults): Verdict[] {
  const labels = { trips: 'trips', rowsRead: 'rows read', rowsWritten: 'rows written' };
  const verdicts = [...results, ...counted]
    .sort((a, b) => a.size - b.size)
    .map(({ size, name, checks }): Verdict => {
      if (!checks) return { size, name, isMissed: true, text: 'not yet: no Link header to follow' };
      const bounded = checks.filter(({ allowed }) => Number.isFinite(allowed));
      const text = bounded
        .map((each) => `${labels[each.name]} ${formatWhole(each.measured)} / ${formatWhole(each.allowed)}`)
        .join(', ');
      return { size, name, isMissed: bounded.some((each) => each.measured > each.allowed), text };
    });
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  return [
    {
      size: null,
      name: 'bundle, gzip',
      isMissed: bundle.gzipBytes > GZIP_BYTES_WARN,
      text: `${kib(bundle.gzipBytes)} / ${kib(GZIP_BYTES_WARN)}`,
    },
    ...verdicts,
  ];
}

/**
 * Checks the targets that a busy machine affects: the speed compared with the bare worker, and how much slower requests
 * become in the large workspace.
 */
export function checkMachineTargets({ results }: { results: readonly Result[] }): Verdict[] {
  const timed = results.filter((each): each is MeasuredResult => each.connections16 !== null);
  const ratios = timed
    .filter(({ isWrite }) => !isWrite)
    .flatMap(({ size, name, ratio, cpuRatio }) => {
      if (ratio === null) return [];
      const byCpu = cpuRatio === null ? '' : `; ${cpuRatio.toFixed(2)} by CPU time`;
      const text = `${ratio.toFixed(2)} of the bare worker's requests per second, at least ${RATIO_MIN}${byCpu}`;
      return [{ size, name, isMissed: ratio < RATIO_MIN, text }];
    });
  const growths = timed
    .filter(({ size, mustNotGrow }) => mustNotGrow && size === LARGE_SIZE)
    .flatMap((large) => {
      const small = timed.find(
        ({ size, name }) => size === SMALL_SIZE && stripDepth(name) === stripDepth(large.name),
      );
      if (!small) return [];
      const growth = large.connections1.app.p50 / small.connections1.app.p50;
      return [
        {
          size: LARGE_SIZE,
          name: large.name,
          isMissed: growth > GROWTH_MAX,
          text: `p50 ${growth.toFixed(2)} × that of ${formatWhole(SMALL_SIZE)} tasks, at most ${GROWTH_MAX}`,
        },
      ];
    });
  return [...ratios, ...growths];
}

function stripDepth(name: string): string {
  return name.replace(/[\d,]+$/, '');
}
