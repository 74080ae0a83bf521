import { computeQuantile } from '../load.ts';
import type { NoiseFigures } from './noise.ts';

const RATIO_MAX = 1.2;
/** The minimum share of the planned changes. Below it, the workspace isn't busy enough for the measurement. */
const CHANGES_SHARE_MIN = 0.9;

export interface Round {
  readonly withoutNoise: readonly number[];
  readonly withNoise: readonly number[];
  readonly figures: NoiseFigures;
  readonly cpuMs: readonly (readonly [process: string, ms: number])[];
}

const computeP95 = (sample: readonly number[]) => computeQuantile(sample, 0.95);

/**
 * Describes what broke the guarantee or made the measurement meaningless. `planned` is the number of changes per round.
 */
export function findProblems(rounds: readonly Round[], planned: number): string[] {
  const ratio = getMedianRatio(rounds);
  const changes = sumFigure(rounds, 'changes');
  const [rejected, failed] = [sumFigure(rounds, 'rejected'), sumFigure(rounds, 'failed')];
  const allPlanned = planned * rounds.length;
  return [
    ...(ratio > RATIO_MAX
      ? [`the median ratio of p95 must be at most ${RATIO_MAX}; got ${ratio.toFixed(2)}`]
      : []),
    ...(rejected + failed > 0
      ? [`no request of the busy workspace may be rejected or fail; got ${rejected} and ${failed}`]
      : []),
    ...(changes < allPlanned * CHANGES_SHARE_MIN
      ? [`the busy workspace must make ${allPlanned} changes; made ${changes}`]
      : []),
  ];
}

function sumFigure(rounds: readonly Round[], name: 'changes' | 'refreshes' | 'rejected' | 'failed'): number {
  return rounds.reduce((total, { figures }) => total + figures[name], 0);
}

/** Uses the median, because other programs on the machine distort single rounds. */
function getMedianRatio(rounds: readonly Round[]): number {
  return computeQuantile(
    rounds.map(({ withoutNoise, withNoise }) => computeP95(withNoise) / computeP95(withoutNoise)),
    0.5,
  );
}

export function describeRound({ withoutNoise, withNoise, figures }: Round): string {
  const [before, after] = [withoutNoise, withNoise].map((sample) => `${computeP95(sample).toFixed(1)} ms`);
  return `p95 ${before} alone, ${after} with ${figures.refreshes} refreshes`;
}

export function describeRounds(rounds: readonly Round[], seconds: number, leadMs: number): string {
  const sum = (name: Parameters<typeof sumFigure>[1]) => sumFigure(rounds, name);
  const noisySeconds = rounds.length * (seconds + leadMs / 1_000);
  const perSecond = (count: number) => (count / noisySeconds).toFixed(1);
  const describe = (sample: readonly number[]) =>
    `p50 ${computeQuantile(sample, 0.5).toFixed(1)} ms, p95 ${computeP95(sample).toFixed(1)} ms (${sample.length} requests)`;
  const stale = Math.max(...rounds.map(({ figures }) => figures.staleMs95));
  const busy = Map.groupBy(
    rounds.flatMap(({ cpuMs }) => cpuMs),
    ([name]) => name,
  );
  const shares = [...busy].map(([name, parts]) => {
    const ms = parts.reduce((total, [, part]) => total + part, 0);
    return `${name} ${(ms / (seconds * 10 * rounds.length)).toFixed(0)}%`;
  });
  return [
    `alone:      ${describe(rounds.flatMap(({ withoutNoise }) => withoutNoise))}`,
    `with noise: ${describe(rounds.flatMap(({ withNoise }) => withNoise))}`,
    `median ratio of p95: ${getMedianRatio(rounds).toFixed(2)}, at most ${RATIO_MAX}`,
    `noise: ${perSecond(sum('changes'))} changes and ${perSecond(sum('refreshes'))} refreshes per second, ${sum('rejected')} rejected, ${sum('failed')} failed`,
    `a board shows a change after ${(stale / 1_000).toFixed(1)} s (p95)`,
    `processor: ${shares.join(', ')} of one core`,
  ].join('\n');
}
