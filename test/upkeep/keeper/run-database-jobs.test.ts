import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { runDatabaseJobs } from '../../../src/upkeep/keeper/run-database-jobs.ts';
import { getKeeperMemory, runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createWorld } from '../../support/world.ts';
import { runCronTick as countTick } from '../cron/cron-work.ts';

const MINUTE = '* * * * *';

beforeAll(async () => {
  await createWorld({ cell: 0 });
  await createWorld({ cell: 1 });
  for (let turn = 0; turn < 3; turn += 1) await countTick(MINUTE, { cells: 6 });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('an idle cell costs two calls per cron tick: one to its database keeper and one to its database', async () => {
  const countTickCalls = async (cells: number) => {
    const seen = await countTick(MINUTE, { cells });
    const calls = [...seen.values()].reduce((sum, each) => sum + each.calls, 0);
    return { keepers: seen.size, calls, cell: seen.get(`cell ${cells - 1}`)?.calls };
  };
  const [few, many] = [await countTickCalls(2), await countTickCalls(6)];
  expect(few).toEqual({ keepers: 3, calls: few.calls, cell: 1 });
  expect(many).toEqual({ keepers: 7, calls: few.calls + 4, cell: 1 });
});

const insertKeys = (cell: number, count: number) =>
  getCell(cell)
    .prepare(
      `INSERT INTO idempotency_keys (id, request, created_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 'old ' || i, 'x', 1 FROM n`,
    )
    .bind(count)
    .run();
const countKeys = (cell: number) =>
  getCell(cell).prepare('SELECT count(*) AS n FROM idempotency_keys WHERE created_at = 1').first('n');

it('the first cron tick in a new cell runs one statement, or two statements in every tenth cell', async () => {
  const seen = new Map<string, number>();
  const countRead = async (cell: number) => {
    let calls = 0;
    const countStatements = (database: D1Database) =>
      ({
        prepare: (query: string) => database.prepare(query),
        batch: (statements: D1PreparedStatement[]) => {
          calls += statements.length;
          return database.batch(statements);
        },
      }) as unknown as D1Database;
    const bindings = {
      DIRECTORY: countStatements(env.DIRECTORY),
      [`CELL_${cell}`]: countStatements(getCell(0)),
    };
    const memory = getKeeperMemory(`new ${cell}`);
    await runDatabaseJobs({ env: { ...env, ...bindings }, memory, waitUntil: () => undefined, cell }, [
      MINUTE,
    ]);
    seen.set(`${cell}`, calls);
  };
  for (let cell = 100; cell < 120; cell += 1) await countRead(cell);
  const reporting = ['100', '110'];
  for (const [cell, calls] of seen) expect([cell, calls]).toEqual([cell, reporting.includes(cell) ? 2 : 1]);
});

it("a cell that doesn't respond doesn't delay other cells", async () => {
  await insertKeys(1, 10);
  let respond = () => {};
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const hanging = {
    prepare: (query: string) => env.CELL_0.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      await responded;
      return env.CELL_0.batch(statements);
    },
  } as unknown as D1Database;
  const bindings = { ...env, CELL_0: hanging };
  const runs = new Map<string, Promise<void>>();
  const getByName = (name: string) => ({
    tick: async (cron: string, cell: number | null) => {
      const keeper = { env: bindings, memory: getKeeperMemory(name), waitUntil: () => undefined, cell };
      runs.set(name, runDatabaseJobs(keeper, [cron]));
    },
  });
  const DATABASE_KEEPER = { getByName } as unknown as Env['DATABASE_KEEPER'];
  const controller = createScheduledController({ cron: MINUTE });
  await worker.scheduled(controller, { ...bindings, DATABASE_KEEPER }, createExecutionContext());
  await Promise.all([runs.get('cell 1'), runs.get('directory')]);
  expect(await countKeys(1)).toBe(0);
  respond();
  await runs.get('cell 0');
});

it("a job that uses up its cell's budget waits for the next run, and doesn't delay other cells", async () => {
  await insertKeys(1, 10);
  const expired = { results: Array(1_000).fill({ id: 'old' }), meta: {} };
  let deletions = 0;
  const endless = {
    prepare: (query: string) => {
      const statement = env.CELL_0.prepare(query);
      return { bind: (...params: unknown[]) => Object.assign(statement.bind(...params), { query }) };
    },
    batch: async (statements: (D1PreparedStatement & { query: string })[]) => {
      if (!statements[0]?.query.includes('DELETE FROM idempotency_keys')) return env.CELL_0.batch(statements);
      deletions += 1;
      return [expired];
    },
  } as unknown as D1Database;
  await insertKeys(0, 1);
  const memory = getKeeperMemory('endless');
  const keeper = { env: { ...env, CELL_0: endless }, memory, waitUntil: () => undefined, cell: 0 };
  await runDatabaseJobs(keeper, [MINUTE]);
  expect(deletions).toBe(80);
  expect(memory.get('waiting')).toEqual(['idempotency.clean 0']);
  await runCron(MINUTE);
  expect(await countKeys(1)).toBe(0);
  // With the real cell, the job completes and no longer waits.
  await runDatabaseJobs({ ...keeper, env }, [MINUTE]);
  expect(memory.get('waiting')).toEqual([]);
});

function createEnvWithSize(bytes: number): Env {
  const CELL_0 = {
    prepare: (query: string) => env.CELL_0.prepare(query),
    batch: async (statements: D1PreparedStatement[]) =>
      (await env.CELL_0.batch(statements)).map((result) => ({
        ...result,
        meta: { ...result.meta, size_after: bytes },
      })),
  } as unknown as D1Database;
  return { ...env, CELL_0 };
}

it('a database keeper reports the size of its cell, raises an alarm at 5 GB and closes the cell at 7 GB', async () => {
  const logged: Record<string, unknown>[] = [];
  vi.spyOn(console, 'error').mockImplementation((line) => {
    logged.push(JSON.parse(line));
  });
  const memory = getKeeperMemory('growing');
  const runJobsWithSize = (bytes: number) =>
    runDatabaseJobs({ env: createEnvWithSize(bytes), memory, waitUntil: () => undefined, cell: 0 }, [MINUTE]);
  const readUsage = async () => ({
    usage: await env.DIRECTORY.prepare('SELECT bytes FROM cell_usage WHERE cell = 0').first('bytes'),
    closed: await env.DIRECTORY.prepare('SELECT count(*) AS n FROM closed_cells').first('n'),
  });
  await runJobsWithSize(4e9);
  expect(await readUsage()).toEqual({ usage: 4e9, closed: 0 });
  expect(logged).toEqual([]);
  await runJobsWithSize(5e9);
  await runJobsWithSize(5.1e9);
  expect(logged).toEqual([{ level: 'error', event: 'cell.large', cell: 0, bytes: 5e9, open_cells: 1 }]);
  expect(await readUsage()).toEqual({ usage: 5e9, closed: 0 });
  await runJobsWithSize(7.2e9);
  expect(logged.slice(1)).toEqual([
    { level: 'error', event: 'cell.closed', cell: 0, bytes: 7.2e9, open_cells: 1 },
  ]);
  expect(await readUsage()).toEqual({ usage: 7.2e9, closed: 1 });
  // After an operator has reopened the cell, it isn't closed again.
  await env.DIRECTORY.prepare('DELETE FROM closed_cells').run();
  await runJobsWithSize(7.3e9);
  expect(await readUsage()).toMatchObject({ closed: 0 });
  expect(logged).toHaveLength(2);
});

it('a database keeper closes a full cell in its next run if the directory fails in the first', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const memory = getKeeperMemory('unlucky');
  const keeper = { env: createEnvWithSize(8e9), memory, waitUntil: () => undefined, cell: 0 };
  const DIRECTORY = {
    prepare: (query: string) => env.DIRECTORY.prepare(query),
    batch: () => Promise.reject(new Error('D1_ERROR: overloaded')),
  } as unknown as D1Database;
  await runDatabaseJobs({ ...keeper, env: { ...keeper.env, DIRECTORY } }, [MINUTE]);
  const countClosedCells = () => env.DIRECTORY.prepare('SELECT count(*) AS n FROM closed_cells').first('n');
  expect(await countClosedCells()).toBe(0);
  await runDatabaseJobs(keeper, [MINUTE]);
  expect(await countClosedCells()).toBe(1);
  await env.DIRECTORY.prepare('DELETE FROM closed_cells').run();
});
