// `npm run bench` measures the speed and cost of requests, compared with a worker that only runs the same SQL.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../scripts/bundle.ts';
import { root } from '../scripts/databases.ts';
import { EARLY_GC_FLAGS } from '../scripts/local.ts';
import { bundleBareWorker, measureBundle, measureStartUpMs } from './build.ts';
import { measureCost } from './cost.ts';
import { createCountedRequests } from './counted-requests.ts';
import { LoadTarget } from './load.ts';
import { describeMemory, watchMemory } from './memory.ts';
import { type Options, readOptions, usage } from './options.ts';
import { recordBareWorkers, type Scenario } from './record.ts';
import type { CountedRequest, TimedRequest } from './request.ts';
import { type CheckedCost, type Result, toResult } from './results.ts';
import {
  createWorkerOptions,
  getWorkerUrl,
  placeDatabase,
  type Runtime,
  readVersions,
  startRuntime,
} from './runtime.ts';
import { loadSeed } from './seed-cache.ts';
import { renderTables, renderVerdicts } from './table.ts';
import { checkFixedTargets, checkMachineTargets } from './targets.ts';
import { createTimedRequests } from './timed-requests.ts';
import { measureTiming } from './timing.ts';

const folder = join(root, '.wrangler', 'bench');
const databases = join(folder, 'run');
const CONNECTIONS = 16;

process.chdir(root);
const options = parseOptions();
const note = (line: string) => console.error(line);
let runtime: Runtime | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    void runtime?.stop().finally(() => process.exit(130));
    if (!runtime) process.exit(130);
  });
}
try {
  process.exitCode = await (options.memoryMinutes === null ? bench() : runMemoryBench(options.memoryMinutes));
} finally {
  await runtime?.stop();
  rmSync(databases, { recursive: true, force: true });
}

function parseOptions(): Options {
  try {
    const parsed = readOptions(process.argv.slice(2));
    if (!parsed.help) return parsed;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(1);
  }
}

interface CountedScenario extends Scenario {
  readonly counted: readonly CountedRequest[];
}

async function prepareScenarios(sizes: readonly number[]): Promise<CountedScenario[]> {
  rmSync(databases, { recursive: true, force: true });
  mkdirSync(databases, { recursive: true });
  const scenarios: CountedScenario[] = [];
  for (const size of sizes) {
    const { cell, world } = loadSeed(size, { folder: join(folder, 'seeds'), fresh: options.fresh, note });
    const appDatabase = { CELL_0: { id: `app-${size}` }, DIRECTORY: { id: `directory-${size}` } };
    placeDatabase(databases, appDatabase.CELL_0.id, cell);
    scenarios.push({
      size,
      appDatabase,
      bareDatabase: { CELL_0: { id: `bare-${size}` } },
      requests: await createTimedRequests(world),
      counted: await createCountedRequests(world),
    });
  }
  return scenarios;
}

async function bench(): Promise<number> {
  const scenarios = await prepareScenarios(options.sizes);
  const [first] = scenarios;
  if (!first) throw new Error('There is no size to measure');
  note('Building the worker …');
  const app = bundle(null, join(folder, 'build', 'app'), { minify: true });
  const recorder = bundle('bench/recorder-worker.ts', join(folder, 'build', 'recorder'));
  const bare = bundleBareWorker(join(folder, 'build', 'bare'));
  const weight = { ...measureBundle(app), startUpMs: measureStartUpMs(join(folder, 'build', 'startup')) };

  note('Recording the statements of each request …');
  const bareWorkers = await recordBareWorkers(scenarios, {
    folder: databases,
    recorder,
    bare,
    getWorkerName: ({ size }) => `bare-${size}`,
  });
  const startedAt = performance.now();
  const started = await startRuntime(
    [
      ...scenarios.map(({ size, appDatabase }) => createWorkerOptions(`app-${size}`, app, appDatabase)),
      ...bareWorkers,
    ],
    databases,
  );
  runtime = started;
  const url = (role: string, { size }: Scenario) => getWorkerUrl(started, `${role}-${size}`);
  const built = { ...weight, firstAnswerMs: await measureFirstResponse(startedAt, url('app', first)) };

  note('Counting rows …');
  const costs = new Map<TimedRequest, CheckedCost | null>();
  const counted: (CheckedCost & { size: number; name: string })[] = [];
  for (const scenario of scenarios) {
    for (const request of scenario.requests) {
      costs.set(
        request,
        request.variants.length > 0 ? await measureCost(request, url('app', scenario)) : null,
      );
    }
    for (const request of scenario.counted) {
      counted.push({
        size: scenario.size,
        name: request.name,
        ...(await measureCost(request, url('app', scenario))),
      });
    }
  }

  const entries = scenarios.map((scenario) => ({
    scenario,
    app: new LoadTarget(url('app', scenario), CONNECTIONS),
    bare: new LoadTarget(url('bare', scenario), CONNECTIONS),
  }));
  const results: Result[] = [];
  for (const [index, { name }] of first.requests.entries()) {
    const asked = entries.flatMap((entry) => {
      const request = entry.scenario.requests[index];
      return request ? [{ ...entry, request }] : [];
    });
    const ready = asked.filter(({ request }) => request.variants.length > 0);
    note(`Timing: ${name} …`);
    const load = { seconds: options.seconds, cpuMs: started.cpuMs };
    const alone = await measureTiming(ready, { ...load, connections: 1, isWarm: false });
    const crowd = await measureTiming(ready, { ...load, connections: CONNECTIONS, isWarm: true });
    for (const { request, scenario } of asked) {
      const position = ready.findIndex((each) => each.request === request);
      results.push(
        toResult(
          request,
          scenario.size,
          costs.get(request) ?? null,
          alone[position] ?? null,
          crowd[position] ?? null,
        ),
      );
    }
  }
  await Promise.all(entries.flatMap(({ app, bare }) => [app.close(), bare.close()]));
  results.sort((a, b) => a.size - b.size);
  return printReport({ ...readEnvironment(), bundle: built, results, counted });
}

async function runMemoryBench(minutes: number): Promise<number> {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = EARLY_GC_FLAGS;
  const [scenario] = await prepareScenarios(options.sizes.slice(-1));
  if (!scenario) throw new Error('There is no size to measure');
  const { size, appDatabase, requests } = scenario;
  const app = bundle(null, join(folder, 'build', 'app'), { minify: true });
  runtime = await startRuntime([createWorkerOptions(`app-${size}`, app, appDatabase)], databases);
  const watched = await watchMemory({
    requests: requests.filter(({ variants }) => variants.length > 0),
    url: getWorkerUrl(runtime, `app-${size}`),
    minutes,
    memoryBytes: runtime.memoryBytes,
    note,
  });
  console.log(
    options.json
      ? JSON.stringify({ ...readEnvironment(), size, memory: watched }, null, 2)
      : describeMemory(watched),
  );
  return watched.isMissed ? 1 : 0;
}

async function measureFirstResponse(startedAt: number, url: URL): Promise<number> {
  await (await fetch(new URL('/health', url))).text();
  return performance.now() - startedAt;
}

function readEnvironment() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${process.platform} ${process.arch}`,
    versions: { node: process.version, ...readVersions() },
    seconds: options.seconds,
  };
}

interface Report extends ReturnType<typeof readEnvironment> {
  readonly bundle: { rawBytes: number; gzipBytes: number; startUpMs: number | null; firstAnswerMs: number };
  readonly results: readonly Result[];
  readonly counted: readonly (CheckedCost & { size: number; name: string })[];
}

function printReport(measured: Report): number {
  const fixed = checkFixedTargets(measured);
  const machine = checkMachineTargets(measured);
  const misses = fixed.filter(({ isMissed }) => isMissed).length;
  const record = { ...measured, targets: { fixed, machine } };
  writeFileSync(join(folder, 'last.json'), JSON.stringify(record, null, 2));
  if (options.json) {
    console.log(JSON.stringify(record, null, 2));
    return misses > 0 ? 1 : 0;
  }
  const { bundle, machine: hardware, versions: used, date } = measured;
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(
    [
      `${date}, ${hardware}, ${Object.entries(used)
        .map((pair) => pair.join(' '))
        .join(', ')}`,
      `Bundle: ${kib(bundle.rawBytes)}, gzip ${kib(bundle.gzipBytes)}. Start-up: ${
        bundle.startUpMs === null ? 'not measured by wrangler' : `${bundle.startUpMs.toFixed(0)} ms of CPU`
      }; first response ${bundle.firstAnswerMs.toFixed(0)} ms after the runtime started.`,
      renderTables(measured),
      renderVerdicts('Targets that hold on every machine', fixed),
      renderVerdicts('Targets that depend on this machine', machine),
    ].join('\n\n'),
  );
  return misses > 0 ? 1 : 0;
}
