// Checks that the runtime's memory doesn't grow: sends mixed requests to one worker and compares the mean memory of
// the last full minute with that of the first.
import { LoadTarget } from './load.ts';
import type { TimedRequest } from './request.ts';

const CONNECTIONS = 16;
const WARM_UP_MS = 30_000;
const SLICE_MS = 500;
const MINUTE_MS = 60_000;
const GROWTH_MAX = 1.1;

interface MemoryOptions {
  readonly requests: readonly TimedRequest[];
  readonly url: URL;
  readonly minutes: number;
  readonly memoryBytes: () => number | null;
  readonly note: (line: string) => void;
}

interface MemoryGrowth {
  readonly minutes: number;
  readonly calls: number;
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly growth: number;
  readonly isMissed: boolean;
}

/** Compares the mean memory of the first and last minute after a warm-up, which fills caches. */
export async function watchMemory({
  requests,
  url,
  minutes,
  memoryBytes,
  note,
}: MemoryOptions): Promise<MemoryGrowth> {
  if (memoryBytes() === null) throw new Error("This system doesn't report the memory of the runtime");
  const target = new LoadTarget(url, CONNECTIONS);
  const samples: { at: number; bytes: number }[] = [];
  const startedAt = performance.now() + WARM_UP_MS;
  const endsAt = startedAt + minutes * MINUTE_MS;
  let calls = 0;
  let shown = 0;
  for (let turn = 0; performance.now() < endsAt; turn += 1) {
    const { variants = [] } = requests[turn % requests.length] ?? {};
    calls += (await target.run(variants, CONNECTIONS, SLICE_MS)).latencies.length;
    const at = performance.now() - startedAt;
    const bytes = memoryBytes() ?? 0;
    if (at >= 0) samples.push({ at, bytes });
    if (at >= shown * MINUTE_MS) {
      note(`${shown} min: ${formatMib(bytes)} after ${calls.toLocaleString('en')} calls`);
      shown += 1;
    }
  }
  await target.close();
  const mean = (from: number, to: number) => {
    const found = samples.filter(({ at }) => at >= from && at < to);
    return found.reduce((sum, { bytes }) => sum + bytes, 0) / found.length;
  };
  const end = minutes * MINUTE_MS;
  const [firstBytes, lastBytes] = [mean(0, MINUTE_MS), mean(end - MINUTE_MS, Infinity)];
  const growth = lastBytes / firstBytes;
  return { minutes, calls, firstBytes, lastBytes, growth, isMissed: growth > GROWTH_MAX };
}

export function describeMemory({
  minutes,
  calls,
  firstBytes,
  lastBytes,
  growth,
  isMissed,
}: MemoryGrowth): string {
  const change = `${growth >= 1 ? '+' : '−'}${(Math.abs(growth - 1) * 100).toFixed(1)}%`;
  return `${isMissed ? 'MISS' : 'pass'}  memory under ${minutes} minutes of mixed load (${calls.toLocaleString('en')} calls): first minute ${formatMib(firstBytes)}, last minute ${formatMib(lastBytes)}, ${change}, at most +10%`;
}

function formatMib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}
