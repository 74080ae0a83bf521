import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { continueExports } from '../../src/exports/run/run-exports.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { api } from '../support/api.ts';
import { env, getCell } from '../support/env.ts';
import { createRandom } from '../support/random.ts';
import { openScope } from '../support/scope.ts';
import { createWorld, type World } from '../support/world.ts';
import { runAndDie, watchCalls } from './dying-run.ts';
import {
  addLargeFiles,
  deleteExports,
  finishExports,
  insertExport,
  LEASE_MS,
  readExport,
} from './prepare-export.ts';
import { downloadArchive } from './read-archive.ts';

const db = getCell(0);
/** The archive contains the time, so all exports have the same. */
const CREATED_AT = 1_790_000_000_000;
let world: World;
let undisturbed: string;

const hashObject = async (id: number) => {
  const key = await db
    .prepare('SELECT object_key FROM exports WHERE id = ?')
    .bind(id)
    .first<string>('object_key');
  const object = await env.FILES.get(String(key));
  if (!object) throw new Error('the archive is missing');
  const digest = await crypto.subtle.digest('SHA-256', await object.arrayBuffer());
  return `${object.size} ${Buffer.from(digest).toString('hex')}`;
};

beforeAll(async () => {
  world = await createWorld({ cell: 0 });
  await addLargeFiles(world, [9_000_000, 5_000_000, 0]);
  const id = await insertExport(world, world.people.owner, { createdAt: CREATED_AT });
  await finishExports(0);
  undisturbed = await hashObject(id);
  const archive = await downloadArchive((await readExport(world.people.owner, id)).downloadUrl);
  expect(archive.lines('attachments').map(({ fileSize }) => fileSize)).toEqual([9_000_000, 5_000_000, 0]);
});
beforeEach(async () => {
  await deleteExports(0);
});

describe('an export that is killed', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'at ten random moments is the same as an undisturbed one (%i)',
    async (seed) => {
      const random = createRandom(seed);
      const id = await insertExport(world, world.people.owner, { createdAt: CREATED_AT });
      let now = Date.now();
      let deaths = 0;
      while (deaths < 10 && (await runAndDie(0, now, random.integer(2, 60))) === 'died') {
        deaths += 1;
        now += LEASE_MS;
        // The limit on failures has a test of its own.
        await db.prepare('UPDATE exports SET failures = 0 WHERE id = ?').bind(id).run();
      }
      await finishExports(0, now);
      expect((await readExport(world.people.owner, id)).status).toBe('completed');
      expect(await hashObject(id)).toBe(undisturbed);
    },
  );

  it('at every call in turn still completes', async () => {
    const id = await insertExport(world, world.people.owner, { createdAt: CREATED_AT });
    let now = Date.now();
    let call = 2;
    for (; (await runAndDie(0, now, call)) === 'died'; call += 1) {
      now += LEASE_MS;
      await db.prepare('UPDATE exports SET failures = 0 WHERE id = ?').bind(id).run();
    }
    await finishExports(0, now);
    expect(await hashObject(id)).toBe(undisturbed);
  });

  it('fails after five runs without progress', async () => {
    const id = await insertExport(world, world.people.owner, { createdAt: CREATED_AT });
    let now = Date.now();
    for (let run = 0; run < 5; run += 1) {
      expect(await runAndDie(0, now, 5)).toBe('died');
      now += LEASE_MS;
    }
    await finishExports(0, now);
    const failed = await readExport(world.people.owner, id);
    expect(failed).toMatchObject({ status: 'failed', downloadUrl: null });
    expect(failed.problem).toContain('Start a new export');
  });
});

describe('two runs at once', () => {
  it('leave the export to one of them', async () => {
    const id = await insertExport(world, world.people.owner, { createdAt: CREATED_AT });
    await Promise.all([finishExports(0), finishExports(0), finishExports(0)]);
    expect(await hashObject(id)).toBe(undisturbed);
  });

  it('commit nothing from the one that was overtaken', async () => {
    const id = await insertExport(world, world.people.owner, { createdAt: CREATED_AT });
    const now = Date.now();
    let calls = 0;
    let resume = () => {};
    let reach = () => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const slow = watchCalls(openScope(now), () => {
      calls += 1;
      if (calls !== 20) return undefined;
      reach();
      return new Promise<void>((resolve) => {
        resume = resolve;
      });
    });
    const overtaken = continueExports.run(slow, 0, unlimitedAllowance);
    await reached;
    await finishExports(0, now + LEASE_MS);
    resume();
    await overtaken;
    expect((await readExport(world.people.owner, id)).status).toBe('completed');
    expect(await hashObject(id)).toBe(undisturbed);
  });
});

describe('changes during an export', () => {
  it('neither skip nor repeat a task that moves', async () => {
    const { owner } = world.people;
    const { body } = await api(owner.token).get('/tasks?limit=100');
    const ids: number[] = body.data.map(({ id }: { id: number }) => id);
    const id = await insertExport(world, owner, { createdAt: Date.now() });
    let calls = 0;
    const scope = watchCalls(openScope(), () => {
      calls += 1;
      const statuses = ['todo', 'in_progress', 'completed'];
      if (calls % 3 !== 0) return undefined;
      return Promise.all(
        ids.map((task) => api(owner.token).patch(`/tasks/${task}`, { status: statuses[(calls / 3) % 3] })),
      ).then(() => undefined);
    });
    while (await continueExports.run(scope, 0, unlimitedAllowance));
    const archive = await downloadArchive((await readExport(owner, id)).downloadUrl);
    expect(archive.lines('tasks').map((task) => task.id)).toEqual(ids.toSorted((one, other) => one - other));
  });

  it('list a file that was deleted as missing, or as partial if it was being copied', async () => {
    const busy = await createWorld({ cell: 0 });
    const { owner } = busy.people;
    await addLargeFiles(busy, [100, 20_000_000, 200]);
    const files = await db
      .prepare('SELECT id, object_key FROM attachments WHERE ws = ? ORDER BY id')
      .bind(busy.no)
      .all<{ id: number; object_key: string }>();
    const [first, second, third] = files.results;
    await env.FILES.delete(first?.object_key ?? '');
    const id = await insertExport(busy, owner);
    let reads = 0;
    const scope = watchCalls(openScope(), () => undefined);
    const FILES = new Proxy(scope.env.FILES, {
      get: (bucket, name) => {
        const value = Reflect.get(bucket, name);
        if (name !== 'get') return typeof value === 'function' ? value.bind(bucket) : value;
        return async (key: string, options: R2GetOptions) => {
          if (key === second?.object_key) reads += 1;
          if (key === second?.object_key && reads === 2) await env.FILES.delete(key);
          return value.call(bucket, key, options);
        };
      },
    });
    while (await continueExports.run({ ...scope, env: { ...scope.env, FILES } }, 0, unlimitedAllowance));
    const archive = await downloadArchive((await readExport(owner, id)).downloadUrl);
    const states = archive.manifest.files
      .filter(({ path }) => path.startsWith('files/'))
      .map(({ path, status }) => [Number(/\d+/.exec(path)?.[0]), status]);
    expect(states).toEqual([
      [first?.id, 'missing'],
      [second?.id, 'partial'],
      [third?.id, 'complete'],
    ]);
  });
});
