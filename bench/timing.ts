import { computeQuantile, type LoadTarget } from './load.ts';
import type { TimedRequest } from './request.ts';
import type { Comparison, Timing } from './results.ts';

const ROUNDS = 8;
const WARM_UP_CALLS = 30;
const WARM_UP_MS = 1_500;
/** Stops measuring a worker once its rounds have taken this many times the planned seconds. */
const OVERRUN_MAX = 3;

interface TimedEntry {
  readonly request: TimedRequest;
  readonly app: LoadTarget;
  readonly bare: LoadTarget;
}

interface TimingRun {
  readonly entry: TimedEntry;
  readonly role: 'app' | 'bare';
  readonly latencies: number[];
  readonly rates: number[];
  calls: number;
  cpu: number | null;
  ms: number;
}

interface TimingOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly cpuMs: () => number | null;
  readonly isWarm: boolean;
}

/**
 * Sends requests to the workers in turn, in short rounds, so that other load on the machine affects them equally.
 * `entries` has one entry per size. `isWarm` is true if the same workers have just responded to this request.
 */
export async function measureTiming(
  entries: readonly TimedEntry[],
  { seconds, connections, cpuMs, isWarm }: TimingOptions,
): Promise<Comparison[]> {
  const startRun = (entry: TimedEntry, role: TimingRun['role']): TimingRun => ({
    entry,
    role,
    latencies: [],
    rates: [],
    calls: 0,
    cpu: 0,
    ms: 0,
  });
  const pairs = entries.map((entry) => ({
    app: startRun(entry, 'app'),
    bare: entry.request.isCompared ? startRun(entry, 'bare') : null,
  }));
  const runs = pairs.flatMap(({ app, bare }) => (bare ? [app, bare] : [app]));
  const runLap = async ({ entry, role }: TimingRun, width: number, ms: number) => {
    const cpuBefore = cpuMs();
    const done = await entry[role].run(entry.request.variants, width, ms);
    const cpuAfter = cpuMs();
    return { ...done, cpu: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore };
  };
  for (const run of isWarm ? [] : runs) {
    let warmed = 0;
    const until = performance.now() + WARM_UP_MS;
    while (warmed < WARM_UP_CALLS && performance.now() < until)
      warmed += (await runLap(run, 1, 50)).latencies.length;
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) {
      if (run.ms > OVERRUN_MAX * seconds * 1000) continue;
      const { latencies, ms, cpu } = await runLap(run, connections, (seconds * 1000) / ROUNDS);
      run.latencies.push(...latencies);
      run.rates.push((latencies.length / ms) * 1000);
      run.calls += latencies.length;
      run.ms += ms;
      run.cpu = cpu === null || run.cpu === null ? null : run.cpu + cpu;
    }
  }
  return pairs.map(({ app, bare }) => {
    const measured = summarize(app);
    if (!bare) return { app: measured, bare: null, ratio: null, cpuRatio: null };
    const plain = summarize(bare);
    return {
      app: measured,
      bare: plain,
      ratio: computeQuantile(
        app.rates.slice(0, bare.rates.length).map((rate, round) => rate / (bare.rates[round] ?? Number.NaN)),
        0.5,
      ),
      // Compares totals instead of rounds, because other work on the machine doesn't affect CPU time.
      cpuRatio: plain.cpuMs === null || measured.cpuMs === null ? null : plain.cpuMs / measured.cpuMs,
    };
  });
}

function summarize({ latencies, rates, calls, cpu }: TimingRun): Timing {
  return {
    p50: computeQuantile(latencies, 0.5),
    p99: computeQuantile(latencies, 0.99),
    perSecond: computeQuantile(rates, 0.5),
    calls,
    cpuMs: cpu === null ? null : cpu / calls,
  };
}
