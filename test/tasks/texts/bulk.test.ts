// Bulk requests for tasks whose descriptions are stored separately (docs/adr/0011).
import { beforeEach, describe, expect, it } from 'vitest';
import { undoTaskChanges } from '../../../src/tasks/bulk/undo.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { createWorld, type World } from '../../support/world.ts';
import {
  BYTES_INLINE,
  createChineseText,
  createTasks,
  createText,
  DESCRIPTION_MAX,
  listStoredTexts,
  ROW_CHARACTERS_MAX,
  random,
  readDescription,
  readLongestRowLength,
} from './stored-texts.ts';

/** The number of descriptions of maximum length that fit in a request body of 1 MiB. */
const TASKS = 10;

let world: World;
let me: ReturnType<typeof api>;

beforeEach(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

describe('a bulk request for tasks with the longest descriptions', () => {
  it("writes no more rows than with short descriptions, and doesn't rewrite unchanged descriptions", async () => {
    const short = await createTasks(world, TASKS, () => 'Short');
    const long = await createTasks(world, TASKS, () => createText(DESCRIPTION_MAX));
    const texts = await listStoredTexts(world);
    expect(texts).toHaveLength(TASKS);
    const steps = [
      (ids: number[]) => me.post('/tasks/bulk/archive', { ids }),
      (ids: number[]) => me.post('/tasks/bulk/unarchive', { ids }),
      (ids: number[]) => me.patch('/tasks/bulk', { ids, set: { priority: 'high' } }),
    ];
    let since = 0;
    for (const step of steps) {
      since = Date.now();
      const [{ cost: expected }, { status, cost }] = [await step(short), await step(long)];
      expect(status).toBe(200);
      expect(cost.rowsWritten).toBe(expected.rowsWritten);
      expect(await readLongestRowLength(world)).toBeLessThan(ROW_CHARACTERS_MAX);
    }
    const { status } = await runForm(world.people.owner.token, undoTaskChanges, { ids: long, since });
    expect(status).toBe(200);
    expect(await listStoredTexts(world)).toEqual(texts);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('stores a description only once if a hundred tasks are given the same description', async () => {
    const ids = await createTasks(world, 100, () => 'Short');
    const toShort = await me.patch('/tasks/bulk', { ids, set: { description: 'Another' } });
    const description = createChineseText(DESCRIPTION_MAX);
    const toLong = await me.patch('/tasks/bulk', { ids, set: { description } });
    expect(toLong.status).toBe(200);
    expect(await listStoredTexts(world)).toMatchObject([{ description, tasks: 100 }]);
    expect(toLong.cost.rowsWritten).toBeLessThanOrEqual(toShort.cost.rowsWritten + 201);
    expect(await readLongestRowLength(world)).toBeLessThan(ROW_CHARACTERS_MAX);
    expect(await findInconsistencies()).toEqual([]);
  });
});

it('each task has its latest description after random single and bulk edits', async () => {
  const ids = await createTasks(world, 6, () => 'Short');
  const shown = new Map<number, string | null>(ids.map((id) => [id, 'Short']));
  const lengths = [10, 5_000, BYTES_INLINE, BYTES_INLINE + 1, 30_000];
  for (let step = 0; step < 40; step += 1) {
    const some = ids.filter(() => random.chance(0.5));
    const createRandomText = () => (random.chance(0.2) ? null : createText(random.pick(lengths)));
    const [one = 0] = some;
    if (some.length === 1) {
      const description = createRandomText();
      await me.patch(`/tasks/${one}`, { description, priority: random.pick(['low', 'high']) });
      shown.set(one, description);
    } else if (random.chance(0.5)) {
      const description = createRandomText();
      await me.patch('/tasks/bulk', { ids: some, set: { description } });
      for (const id of some) shown.set(id, description);
    } else if (some.length > 0) {
      const updates = some.map((id, index) => ({
        id,
        name: `Step ${step}`,
        ...(index % 2 === 0 && { description: createRandomText() }),
      }));
      await me.patch('/tasks/bulk', { updates });
      for (const { id, description } of updates) if (description !== undefined) shown.set(id, description);
    }
  }
  for (const [id, description] of shown) expect(await readDescription(world, id)).toBe(description);
  expect(await findInconsistencies()).toEqual([]);
});
