import { beforeAll, expect, it } from 'vitest';
import { getAppSession } from '../../src/app-activity/app-sessions.ts';
import { undoAppSession } from '../../src/app-activity/undo-session.ts';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { runForm } from '../support/forms.ts';
import { createRandom } from '../support/random.ts';
import { isLong } from '../support/tier.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { connectApp } from './connect-app.ts';
import {
  buildFields,
  changeOwnData,
  changeTask,
  changeTaskPart,
  type Random,
  takeTimeSlot,
  words,
} from './random-changes.ts';
import { RELATIONS_KEY, type Row, readTaskRow, readTaskRows } from './stored-rows.ts';

const CASES = isLong ? 2_000 : 10;
const TASKS = 4;

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

async function changeAsApp(random: Random, token: string, ids: number[], made: number[]) {
  const kind = random.integer(0, 12);
  if (kind < 7) return changeTask(random, world, token, ids);
  if (kind > 9) return changeOwnData(random, token, ids);
  if (kind === 7) {
    const task = { projectId: world.projects.joined.id, name: 'New', ...buildFields(random, world) };
    const { body } = await api(token).post('/tasks', task);
    if (body.id) made.push(body.id);
    return body;
  }
  return api(token).post(`/tasks/${random.pick(ids)}/comments`, { content: random.pick(words) });
}

function listDifferences(before: Row, after: Row): Record<string, unknown> {
  const columns = Object.keys({ ...before, ...after });
  return Object.fromEntries(
    columns.filter((column) => before[column] !== after[column]).map((column) => [column, after[column]]),
  );
}

async function undoAllSessions(person: Person, app: number): Promise<number> {
  let before: number | null = Number.MAX_SAFE_INTEGER;
  let undone = 0;
  for (let request = 0; before !== null && request < 40; request += 1) {
    const { status, body } = await runForm(person.token, undoAppSession, { app, before });
    expect(status, JSON.stringify(body)).toBe(200);
    undone += body.undone;
    if (!body.hasMore) before = body.next;
  }
  expect(before).toBeNull();
  return undone;
}

/**
 * Creates tasks, changes them as an app and as other people, and repeats the other people's changes on copies of the
 * rows. After the app's changes are undone, the rows must equal the copies, except in derived columns. Tasks that other
 * people have archived must not change, and their relations aren't compared.
 */
async function compareCase(seed: number) {
  const random = createRandom(seed);
  const person = random.pick(Object.values(world.people));
  const { token, app } = await connectApp(world, person);
  const ids: number[] = [];
  for (let at = 0; at < TASKS; at += 1)
    ids.push((await createTask(world.people.owner, world.projects.joined.id, buildFields(random, world))).id);
  for (const id of ids) {
    if (random.chance(0.5))
      await api(person.token).post(`/tasks/${id}/comments`, { content: random.pick(words) });
    if (random.chance(0.3)) await api(person.token).post('/timer/entries', { taskId: id, ...takeTimeSlot() });
    if (random.chance(0.5)) await changeTaskPart(random, world.people.owner.token, ids);
  }
  const others = Object.values(world.people).filter((each) => each !== person);
  const copies = new Map([...(await readTaskRows(world, ids))].map(([id, row]) => [id, { ...row }]));
  const made: number[] = [];
  const archivedByOthers = new Set<number>();
  for (let step = random.integer(1, 9); step > 0; step -= 1) {
    if (random.chance(0.7)) {
      await changeAsApp(random, token, ids, made);
      continue;
    }
    const before = await readTaskRows(world, ids);
    await changeTask(random, world, random.pick(others).token, ids);
    for (const [id, row] of await readTaskRows(world, ids)) {
      const changed = listDifferences(before.get(id) ?? {}, row);
      Object.assign(copies.get(id) ?? {}, changed);
      if (changed.archived === 1) archivedByOthers.add(id);
      if (changed.archived === 0) archivedByOthers.delete(id);
    }
  }
  const asLeft = await readTaskRows(world, ids);
  await undoAllSessions(person, app);
  const after = await readTaskRows(world, ids);
  for (const [id, row] of after) {
    const derived = [
      'subtask_count',
      'subtasks_completed',
      'comment_count',
      'archived_with',
      'hours',
      'name_key',
      'completed_on',
    ];
    const expected =
      archivedByOthers.has(id) && asLeft.get(id)?.archived === 1
        ? (asLeft.get(id) ?? {})
        : (copies.get(id) ?? {});
    const isCompared = (column: string) =>
      !derived.includes(column) &&
      (id !== RELATIONS_KEY || !column.split(' ').some((end) => archivedByOthers.has(Number(end))));
    const omitDerivedColumns = (each: Row) =>
      Object.fromEntries(Object.entries(each).filter(([column]) => isCompared(column)));
    expect(omitDerivedColumns(row), `task ${id} of seed ${seed}`).toEqual(omitDerivedColumns(expected));
  }
  for (const id of made)
    expect((await readTaskRow(world, id)).archived, `new task ${id} of seed ${seed}`).toBe(1);
  const again = await runForm(person.token, getAppSession, { app });
  expect(again.body.steps.filter(({ outcome }: { outcome: string }) => /undo|later/.test(outcome))).toEqual(
    [],
  );
  expect(await undoAllSessions(person, app)).toBe(0);
}

const seeds = Array.from({ length: CASES }, (_, index) => index + 1);

it.each(seeds)(
  'undoing random session %i restores everything except what others changed',
  compareCase,
  120_000,
);

it('undoing sessions keeps all counters correct', async () =>
  expect(await findCounterDrift(world)).toEqual([]));
