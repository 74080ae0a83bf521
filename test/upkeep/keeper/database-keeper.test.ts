import { runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, it, vi } from 'vitest';
import type { DatabaseKeeper } from '../../../src/upkeep/keeper/database-keeper.ts';
import { env, getCell } from '../../support/env.ts';

const MINUTE = '* * * * *';
const NIGHT = '17 3 * * *';
const POSTPONED = 'postponed';

afterEach(() => {
  vi.restoreAllMocks();
});

type Stub = ReturnType<Env['DATABASE_KEEPER']['getByName']>;

const waitUntilIdle = (stub: Stub) => runInDurableObject(stub, (keeper: DatabaseKeeper) => keeper.running);
const readPostponed = (stub: Stub) =>
  runInDurableObject(stub, (_, state) => state.storage.kv.get<string[]>(POSTPONED));

const insertKey = (id: string) =>
  getCell(1)
    .prepare("INSERT INTO idempotency_keys (id, request, created_at) VALUES (?, 'x', 1)")
    .bind(id)
    .run();
const countKeys = () =>
  getCell(1).prepare('SELECT count(*) AS n FROM idempotency_keys WHERE created_at = 1').first('n');

it('a database keeper runs the jobs of its cell even after the call to it has returned', async () => {
  const stub = env.DATABASE_KEEPER.getByName('cell 1');
  await insertKey('one');
  await stub.tick(MINUTE, 1);
  await waitUntilIdle(stub);
  expect(await countKeys()).toBe(0);
});

it('a database keeper runs the jobs of the directory', async () => {
  const stub = env.DATABASE_KEEPER.getByName('directory');
  await env.DIRECTORY.prepare("INSERT INTO email_verifications VALUES ('old', 'usr_x', 1, 0)").run();
  await stub.tick(MINUTE, null);
  await waitUntilIdle(stub);
  expect(await env.DIRECTORY.prepare('SELECT count(*) AS n FROM email_verifications').first('n')).toBe(0);
});

it('a database keeper never has two runs at once, and runs again if a cron tick arrives during a run', async () => {
  const stub = env.DATABASE_KEEPER.getByName('cell 1, busy');
  await insertKey('two');
  let finishTick = () => {};
  const busy = new Promise<void>((resolve) => {
    finishTick = resolve;
  });
  await runInDurableObject(stub, (keeper: DatabaseKeeper) => {
    vi.spyOn(Date, 'now').mockReturnValue(1);
    keeper.running = busy;
    keeper.tick(NIGHT, 1);
    keeper.tick(MINUTE, 1);
    keeper.tick(MINUTE, 1);
    vi.restoreAllMocks();
  });
  expect(await countKeys()).toBe(1);
  expect(await readPostponed(stub)).toEqual([NIGHT, MINUTE]);
  await runInDurableObject(stub, async (keeper: DatabaseKeeper) => {
    finishTick();
    keeper.running = null;
    keeper.tick(MINUTE, 1);
    await keeper.running;
  });
  expect(await countKeys()).toBe(0);
  expect(await readPostponed(stub)).toBeUndefined();
});

it('a database keeper runs again after a call that never returned', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const stub = env.DATABASE_KEEPER.getByName('cell 1, hanging');
  await insertKey('three');
  await runInDurableObject(stub, (keeper: DatabaseKeeper) => {
    keeper.running = new Promise<void>(() => undefined);
  });
  // The recorded start is still 0, so the run seems to have been going for decades.
  await stub.tick(MINUTE, 1).catch(() => undefined);
  expect(logged.mock.calls.flat().join()).toContain('cron.hung');
  const next = env.DATABASE_KEEPER.getByName('cell 1, hanging');
  await next.tick(MINUTE, 1);
  await waitUntilIdle(next);
  expect(await countKeys()).toBe(0);
});
