// `npm run bench`: how fast and how dear is a request, beside a worker that does nothing but the same SQL?
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../scripts/bundle.mjs';
import { root } from '../scripts/databases.mjs';
import { COLLECT_EARLY } from '../scripts/v8-flags.mjs';
import { bundleBare, bundleSize, startUpMs } from './build.mjs';
import { Target } from './load.mjs';
import { costOf, requireSameAnswers, time, toResult } from './measure.mjs';
import { describeMemory, watchMemory } from './memory.mjs';
import { readOptions, usage } from './options.mjs';
import { recordBareWorkers } from './record.mjs';
import { countedRequests, timedRequests } from './requests.mjs';
import { placeDatabase, startRuntime, versions, worker } from './runtime.mjs';
import { seed } from './seed.mjs';
import { tables, verdictLines } from './table.mjs';
import { fixedTargets, machineTargets } from './targets.mjs';

const folder = join(root, '.wrangler', 'bench');
const databases = join(folder, 'run');
const CONNECTIONS = 16;

process.chdir(root);
const options = parseOptions();
const note = (line) => console.error(line);
let runtime;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    void runtime?.stop().finally(() => process.exit(130));
    if (!runtime) process.exit(130);
  });
}
try {
  process.exitCode = await (options.memoryMinutes === null ? bench() : memory());
} finally {
  await runtime?.stop();
  rmSync(databases, { recursive: true, force: true });
}

function parseOptions() {
  try {
    const parsed = readOptions(process.argv.slice(2));
    if (!parsed.help) return parsed;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(1);
  }
}

/** Seeds, and puts each database where the runtime will find it. */
async function openScenes(sizes) {
  rmSync(databases, { recursive: true, force: true });
  mkdirSync(databases, { recursive: true });
  const scenes = [];
  for (const size of sizes) {
    const { cell, world } = seed(size, { folder: join(folder, 'seeds'), fresh: options.fresh, note });
    const appDatabase = { CELL_0: { id: `app-${size}` }, DIRECTORY: { id: `directory-${size}` } };
    placeDatabase(databases, appDatabase.CELL_0.id, cell);
    scenes.push({
      size,
      appDatabase,
      bareDatabase: { CELL_0: { id: `bare-${size}` } },
      requests: await timedRequests(world),
      counted: await countedRequests(world),
    });
  }
  return scenes;
}

async function bench() {
  const scenes = await openScenes(options.sizes);
  note('Building the worker …');
  const app = bundle(null, join(folder, 'build', 'app'), { minify: true });
  const recorder = bundle('bench/recorder-worker.mjs', join(folder, 'build', 'recorder'));
  const bare = bundleBare(join(folder, 'build', 'bare'));
  const built = { ...bundleSize(app), startUpMs: startUpMs(join(folder, 'build', 'startup')) };

  note('Recording what each request asks the database …');
  const bareWorkers = await recordBareWorkers(scenes, {
    folder: databases,
    recorder,
    bare,
    nameOf: ({ size }) => `bare-${size}`,
  });
  const startedAt = performance.now();
  runtime = await startRuntime(
    [...scenes.map(({ size, appDatabase }) => worker(`app-${size}`, app, appDatabase)), ...bareWorkers],
    databases,
  );
  built.firstAnswerMs = await firstAnswer(startedAt, runtime.urls.get(`app-${scenes[0].size}`));
  const url = (role, { size }) => runtime.urls.get(`${role}-${size}`);

  note('Comparing answers, counting rows …');
  const costs = new Map();
  const counted = [];
  for (const scene of scenes) {
    await requireSameAnswers(scene.requests, url('app', scene), url('bare', scene));
    for (const request of scene.requests) {
      costs.set(request, request.variants.length > 0 ? await costOf(request, url('app', scene)) : null);
    }
    for (const request of scene.counted) {
      counted.push({ size: scene.size, name: request.name, ...(await costOf(request, url('app', scene))) });
    }
  }

  const entries = scenes.map((scene) => ({
    scene,
    app: new Target(url('app', scene), CONNECTIONS),
    bare: new Target(url('bare', scene), CONNECTIONS),
  }));
  const results = [];
  for (const index of scenes[0].requests.keys()) {
    const asked = entries.map((entry) => ({ ...entry, request: entry.scene.requests[index] }));
    const ready = asked.filter(({ request }) => request.variants.length > 0);
    note(`Timing: ${asked[0].request.name} …`);
    const load = { seconds: options.seconds, cpuMs: runtime.cpuMs };
    const alone = await time(ready, { ...load, connections: 1, isWarm: false });
    const crowd = await time(ready, { ...load, connections: CONNECTIONS, isWarm: true });
    for (const { request, scene } of asked) {
      const position = ready.findIndex((each) => each.request === request);
      results.push(
        toResult(request, scene.size, costs.get(request), alone[position] ?? null, crowd[position] ?? null),
      );
    }
  }
  await Promise.all(entries.flatMap(({ app, bare }) => [app.close(), bare.close()]));
  results.sort((a, b) => a.size - b.size);
  return report({ ...environment(), bundle: built, results, counted });
}

async function memory() {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = COLLECT_EARLY;
  const scenes = await openScenes(options.sizes.slice(-1));
  const app = bundle(null, join(folder, 'build', 'app'), { minify: true });
  const [{ size, appDatabase, requests }] = scenes;
  runtime = await startRuntime([worker(`app-${size}`, app, appDatabase)], databases);
  const watched = await watchMemory({
    requests: requests.filter(({ variants }) => variants.length > 0),
    url: runtime.urls.get(`app-${size}`),
    minutes: options.memoryMinutes,
    memoryBytes: runtime.memoryBytes,
    note,
  });
  console.log(
    options.json
      ? JSON.stringify({ ...environment(), size, memory: watched }, null, 2)
      : describeMemory(watched),
  );
  return watched.isMissed ? 1 : 0;
}

/** From starting the runtime, all its workers and databases, to the first answer of one. */
async function firstAnswer(startedAt, url) {
  await (await fetch(new URL('/health', url))).text();
  return performance.now() - startedAt;
}

function environment() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${process.platform} ${process.arch}`,
    versions: { node: process.version, ...versions() },
    seconds: options.seconds,
  };
}

/** Prints everything; answers the exit code. */
function report(measured) {
  const fixed = fixedTargets(measured);
  const machine = machineTargets(measured);
  const misses = fixed.filter(({ isMissed }) => isMissed).length;
  const record = { ...measured, targets: { fixed, machine } };
  writeFileSync(join(folder, 'last.json'), JSON.stringify(record, null, 2));
  if (options.json) {
    console.log(JSON.stringify(record, null, 2));
    return misses > 0 ? 1 : 0;
  }
  const { bundle, machine: hardware, versions: used, date } = measured;
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(
    [
      `${date}, ${hardware}, ${Object.entries(used)
        .map((pair) => pair.join(' '))
        .join(', ')}`,
      `Bundle: ${kib(bundle.rawBytes)}, gzip ${kib(bundle.gzipBytes)}. Start-up: ${
        bundle.startUpMs === null ? 'wrangler cannot tell' : `${bundle.startUpMs.toFixed(0)} ms of CPU`
      }; first answer ${bundle.firstAnswerMs.toFixed(0)} ms after the runtime was started.`,
      tables(measured),
      verdictLines('Targets that hold on every machine', fixed),
      verdictLines('Targets that this machine was measured for', machine),
    ].join('\n\n'),
  );
  return misses > 0 ? 1 : 0;
}
