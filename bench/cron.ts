// Measures cron ticks with many cells, which have separate databases and keepers. First all cells are idle, and then
// one of them is busy.
//   node scripts/install.mjs bench/cron.ts [--cells 500]
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bundle } from '../scripts/bundle.ts';
import { getDatabaseFile, readDatabases, root } from '../scripts/databases.ts';
import { findFreePort } from '../scripts/local.ts';
import { openRuntime, readWorker, toWorkerModules } from '../scripts/runtime.ts';
import { runWrangler } from '../scripts/wrangler.ts';
import type { KeeperReport, TickReport } from './cron-worker.ts';
import { SESSION_SECRET } from './runtime.ts';

const { values } = parseArgs({ options: { cells: { type: 'string', default: '500' } } });
const cells = Number(values.cells);
const EVERY_MINUTE = '* * * * *';
const SECONDS_MAX = 10;
/** The number of calls that an invocation may make. */
const CALLS_MAX = 1_000;
/** New cells report their size within their first ten minutes, a tenth of the cells per minute. */
const reporting = Math.ceil(cells / 10);
const ROUND_MS_MAX = 120_000;
const POLL_MS = 20;
/** More expired idempotency keys than one run can delete. */
const EXPIRED_KEYS = 300_000;

const state = mkdtempSync(join(tmpdir(), 'edgework-cron-'));
process.chdir(root);
for (const binding of ['DIRECTORY', 'CELL_0']) {
  runWrangler(['d1', 'migrations', 'apply', binding, '--local', `--persist-to=${state}`]);
}
const folder = join(state, 'v3');
const firstCellFile = getDatabaseFile(
  folder,
  readDatabases().find(({ binding }) => binding === 'CELL_0')?.id ?? '',
);
const cellNames = Array.from({ length: cells }, (_, no) => `CELL_${no}`);
executeInFirstCell('PRAGMA wal_checkpoint(TRUNCATE)');
for (const name of cellNames.slice(1)) copyFileSync(firstCellFile, getDatabaseFile(folder, name));

function executeInFirstCell(sql: string) {
  const database = new DatabaseSync(firstCellFile);
  database.exec(sql);
  database.close();
}

let errors = 0;
const port = await findFreePort();
const { options } = readWorker();
const runtime = await openRuntime({
  port,
  folder,
  handleStructuredLogs: ({ message }) => {
    if (!/"level":"error"/.test(message)) return;
    errors += 1;
    console.error(message);
  },
  workers: [
    {
      ...options,
      ...toWorkerModules(bundle('bench/cron-worker.ts', join(state, 'bundle'))),
      d1Databases: {
        ...(options.d1Databases as Record<string, string>),
        ...Object.fromEntries(cellNames.slice(1).map((name) => [name, name])),
      },
      bindings: { ...options.bindings, SESSION_SECRET, MAIL_FROM: 'no-reply@edgework.test' },
    },
  ],
});

const fetchJson = async <T>(path: string): Promise<T> =>
  (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as T;

interface Round {
  tick: TickReport;
  startedAt: number;
  directory: KeeperReport;
  keepers: KeeperReport[];
}

async function runTick(): Promise<Round> {
  const startedAt = Date.now();
  const tick = await fetchJson<TickReport>(`/tick?cron=${encodeURIComponent(EVERY_MINUTE)}`);
  const reports: KeeperReport[] = [];
  while (reports.length <= cells) {
    assert.ok(Date.now() - startedAt < ROUND_MS_MAX, `${reports.length} of ${cells + 1} keepers reported`);
    reports.push(...(await fetchJson<KeeperReport[]>('/reports')));
    await sleep(POLL_MS);
  }
  const [directory, ...keepers] = reports.toSorted((a, b) => (a.cell ?? -1) - (b.cell ?? -1));
  assert.ok(directory);
  return { tick, startedAt, directory, keepers };
}

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const computeLastEndMs = ({ startedAt }: Round, reports: readonly KeeperReport[]) =>
  Math.max(...reports.map(({ endedAt }) => endedAt)) - startedAt;

/** Fails if the tick and the reported runs take more than `SECONDS_MAX`. */
function assertInTime(round: Round, reports: readonly KeeperReport[]): void {
  const ms = Math.max(round.tick.ms, computeLastEndMs(round, reports));
  assert.ok(ms <= SECONDS_MAX * 1000, `${formatSeconds(ms)}, more than ${SECONDS_MAX} s`);
}

const countStatements = (reports: readonly KeeperReport[]) =>
  reports.reduce((sum, { statements }) => sum + statements, 0);

/** A tick makes one call per database, and an idle cell runs one statement, or two if it reports its size. */
function assertIdle(round: Round): void {
  assert.equal(round.tick.calls, cells + 1);
  assert.ok(round.tick.calls <= CALLS_MAX, `${round.tick.calls} calls, more than an invocation may make`);
  const statements = countStatements(round.keepers);
  assert.ok(statements <= cells + reporting, `${statements} statements`);
  assertInTime(round, round.keepers);
}

try {
  // The first tick also creates the keepers, a tenth of which report the sizes of their cells.
  const cold = await runTick();
  console.log(
    `cold: ${cold.tick.calls} calls in the tick, ${countStatements(cold.keepers)} statements in cells; the tick took ${formatSeconds(cold.tick.ms)}, its cells ${formatSeconds(computeLastEndMs(cold, cold.keepers))}`,
  );
  assertIdle(cold);
  await runTick();
  const idle = await runTick();
  const runMs = idle.keepers.map(({ startedAt, endedAt }) => endedAt - startedAt).sort((a, b) => a - b);
  console.log(
    `${cells} idle cells: ${idle.tick.calls} calls in the tick, ${countStatements(idle.keepers)} statements in cells, ${idle.directory.statements} in the directory`,
  );
  console.log(
    `the tick took ${formatSeconds(idle.tick.ms)}, all cells ${formatSeconds(computeLastEndMs(idle, idle.keepers))}, and half of the runs at most ${runMs[cells >> 1]} ms`,
  );
  assertIdle(idle);

  executeInFirstCell(`INSERT INTO idempotency_keys (id, request, created_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EXPIRED_KEYS})
    SELECT 'old ' || i, 'x', 1 FROM n`);
  const busy = await runTick();
  const [endless, ...others] = busy.keepers;
  assert.ok(endless);
  console.log(
    `with a busy cell: the tick took ${formatSeconds(busy.tick.ms)}, idle cells ${formatSeconds(computeLastEndMs(busy, others))}, the busy one ${formatSeconds(computeLastEndMs(busy, [endless]))} with ${endless.statements} statements`,
  );
  assert.ok(endless.statements > 50, `only ${endless.statements} statements`);
  const extra = countStatements(others) - others.length;
  assert.ok(extra <= reporting, `${extra} more statements`);
  assertInTime(busy, others);
  assert.equal(errors, 0);
} finally {
  await runtime.dispose();
  rmSync(state, { recursive: true, force: true });
}
process.exit(0);
