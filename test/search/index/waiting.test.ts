import { beforeEach, describe, expect, it } from 'vitest';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { createWorld, type World } from '../../support/world.ts';

const random = createRandom(92);
const EVERY_MINUTE = '* * * * *';
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789+-*/=!? .,;:'.split('');
const createText = (length: number) =>
  Array.from({ length }, () => random.pick(letters))
    .join('')
    .trim();

let world: World;
let me: ReturnType<typeof api>;
/** An API client whose changes stay unindexed, because the work after each response fails. */
let failingClient: ReturnType<typeof api>;

const failIndexing = (db: D1Database): D1Database =>
  ({
    prepare: (query: string) => {
      if (/FROM search_waiting w\b/.test(query)) throw new Error('this cell indexes nothing');
      return db.prepare(query);
    },
    batch: (statements: D1PreparedStatement[]) => db.batch(statements),
  }) as D1Database;

beforeEach(async () => {
  world = await createWorld();
  const { token } = world.people.owner;
  me = api(token);
  failingClient = api(token, { CELL_0: failIndexing(env.CELL_0) });
});

const countWaiting = async () =>
  (await getCell(0).prepare('SELECT count(*) AS n FROM search_waiting').first<{ n: number }>())?.n;

async function createWaitingTasks(count = 12): Promise<{ id: number; description: string }[]> {
  const tasks = Array.from({ length: count }, (_, index) => ({
    projectId: world.projects.joined.id,
    name: `Waiting ${index}`,
    description: createText(4_000),
  }));
  const { status, body } = await failingClient.post('/tasks/bulk', { tasks });
  expect(status).toBe(201);
  expect(await countWaiting()).toBeGreaterThan(count / 2);
  return body.data.map(({ task }: { task: { id: number; description: string } }) => task);
}

async function findIds(search: string, more = ''): Promise<number[]> {
  const { body } = await me.get(`/tasks?scope=all&search=${encodeURIComponent(search)}${more}`);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: number }) => id);
}

describe('a search for new text', () => {
  it('finds the text before it is indexed, in one project or in all, whether or not the task is archived', async () => {
    const tasks = await createWaitingTasks();
    const ids = tasks.map(({ id }) => id).toReversed();
    expect(await findIds('a')).toEqual(ids);
    expect(await findIds('waiting')).toEqual(ids);
    for (const { id, description } of tasks) {
      const part = description.slice(2_000, 2_012).trim();
      expect(await findIds(part)).toContain(id);
      expect(await findIds(part, `&projectId=${world.projects.joined.id}`)).toContain(id);
      expect(await findIds(part, `&projectId=${world.projects.other.id}`)).toEqual([]);
    }
    const last = tasks.at(-1)?.id ?? 0;
    await me.post(`/tasks/${last}/archive`);
    expect(await findIds('waiting', '&isArchived=true')).toEqual([last]);
    expect(await findIds('waiting')).toEqual(ids.slice(1));
    expect(await findInconsistencies()).toEqual([]);
  });

  it('has the same results before and after the cron job indexes the text', async () => {
    const tasks = await createWaitingTasks();
    const patterns = tasks.map(({ description }) => description.slice(100, 109).trim());
    const before = await Promise.all(patterns.map((pattern) => findIds(pattern)));
    await runCron(EVERY_MINUTE);
    expect(await countWaiting()).toBe(0);
    expect(await Promise.all(patterns.map((pattern) => findIds(pattern)))).toEqual(before);
    await runCron(EVERY_MINUTE);
    expect(await findInconsistencies()).toEqual([]);
  });

  it("finds a task's newest text if the task is edited during indexing", async () => {
    const tasks = await createWaitingTasks();
    const edited = tasks.at(-1)?.id ?? 0;
    // The cron job's first batch reads the text that is waiting to be indexed, and its second batch writes the index.
    let isEdited = false;
    const cell = {
      prepare: (query: string) => env.CELL_0.prepare(query),
      async batch(statements: D1PreparedStatement[]) {
        const results = await env.CELL_0.batch(statements);
        const [first] = results as D1Result<{ description_key?: string; id: number }>[];
        if (!isEdited && first?.results.some(({ id, description_key }) => id === edited && description_key)) {
          isEdited = true;
          await me.patch(`/tasks/${edited}`, { description: 'entirely different words' });
        }
        return results;
      },
    } as D1Database;
    await runCron(EVERY_MINUTE, { CELL_0: cell });
    await runCron(EVERY_MINUTE);
    expect(isEdited).toBe(true);
    expect(await findIds('entirely different')).toEqual([edited]);
    expect(await findIds((tasks.at(-1)?.description ?? '').slice(0, 12))).toEqual([]);
    expect(await countWaiting()).toBe(0);
    expect(await findInconsistencies()).toEqual([]);
  });

  it("finds the text once it is indexed in the background, even if the cron job hasn't run", async () => {
    const tasks = Array.from({ length: 12 }, (_, index) => ({
      projectId: world.projects.joined.id,
      name: `Soon ${index}`,
      description: createText(4_000),
    }));
    await me.post('/tasks/bulk', { tasks });
    expect(await countWaiting()).toBe(0);
    expect(await findIds('soon')).toHaveLength(12);
  });
});

it('archived tasks are found before and after the migration to the common search index completes', async () => {
  const db = getCell(0);
  const { body: task } = await me.post('/tasks', {
    projectId: world.projects.joined.id,
    name: 'Old and archived',
  });
  await me.post(`/tasks/${task.id}/archive`);
  // SQLite computes the row number, because a JavaScript number can't hold all of its bits.
  const rowid = '(CAST(? AS INTEGER) << 32) | CAST(? AS INTEGER)';
  const owner = world.no * 2;
  await db.batch([
    db.prepare('DROP TABLE search_waiting'),
    db.prepare(`DELETE FROM task_search WHERE rowid = ${rowid}`).bind(owner, task.id),
    db
      .prepare(`INSERT INTO task_search (rowid, grams) VALUES (${rowid}, 'tokens_of_another_owner')`)
      .bind(owner + 1, task.id),
  ]);
  const { queries } = env.TEST_MIGRATIONS_CELL.find(({ name }) => name.startsWith('0003_')) ?? {
    queries: [],
  };
  expect(queries.length).toBeGreaterThan(3);
  for (const query of queries) await db.prepare(query).run();
  expect(await findIds('archived', '&isArchived=true')).toEqual([task.id]);
  expect(await findIds('archived', `&isArchived=true&projectId=${world.projects.joined.id}`)).toEqual([
    task.id,
  ]);
  expect(await findIds('archived')).toEqual([]);
  await runCron(EVERY_MINUTE);
  expect(await countWaiting()).toBe(0);
  expect(await findIds('archived', '&isArchived=true')).toEqual([task.id]);
  expect(await findInconsistencies()).toEqual([]);
});
