import { beforeAll, expect, it } from 'vitest';
import { getAppSession } from '../../src/app-activity/app-sessions.ts';
import { undoAppSession } from '../../src/app-activity/undo-session.ts';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { cellOf } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createRandom } from '../support/random.ts';
import { isLong } from '../support/tier.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { connectApp } from './own-app.ts';

type Random = ReturnType<typeof createRandom>;
type Row = Readonly<Record<string, unknown>>;

const CASES = isLong ? 2_000 : 10;
const TASKS = 4;
const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const days = ['2026-01-05', '2026-12-01', '2027-03-01'];
const words = ['alpha', 'beta', 'gamma'];

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

function buildFields(random: Random): Record<string, unknown> {
  const people = Object.values(world.people);
  const fields: Record<string, () => unknown> = {
    name: () => random.pick(words),
    status: () => random.pick(statuses),
    priority: () => random.pick(['low', 'medium', 'high']),
    assigneeId: () => (random.chance(0.3) ? null : random.pick(people).userId),
    deadline: () => (random.chance(0.3) ? null : random.pick(days)),
    startDate: () => (random.chance(0.3) ? null : random.pick(days)),
    tags: () => (random.chance(0.3) ? [] : [random.pick(words)]),
    customEstimatedHours: () => (random.chance(0.3) ? null : random.pick(['0.5', '3'])),
    description: () =>
      random.chance(0.2) ? null : `<p>${random.pick(words)}</p>`.repeat(random.chance(0.1) ? 900 : 1),
  };
  const chosen = Object.keys(fields).filter(() => random.chance(0.3));
  return Object.fromEntries(chosen.map((name) => [name, fields[name]?.()]));
}

/** Reads the stored values of a task, without followers and the number of history entries, which aren't undone. */
async function readRow(id: number): Promise<Row> {
  const row = await cellOf(world.cell)
    .prepare(
      `SELECT name, status, priority, assignee, tags, start_date, due, archived, archived_with, estimated_hours, hours,
        parent, subtask_count, subtasks_completed, comment_count, name_key, scheduled_time, category, type, completed_on,
        coalesce(description, (SELECT x.description FROM long_texts x WHERE x.id = t.long_text)) AS description
      FROM tasks t WHERE id = ?`,
    )
    .bind(id)
    .first<Row>();
  return row ?? {};
}

type Rows = ReadonlyMap<number, Row>;
const readRowsOf = async (ids: readonly number[]): Promise<Rows> =>
  new Map(await Promise.all(ids.map(async (id) => [id, await readRow(id)] as const)));

async function changeSomething(random: Random, token: string, ids: readonly number[]) {
  const id = random.pick(ids);
  const kind = random.integer(0, 9);
  if (kind < 6) return api(token).patch(`/tasks/${id}`, buildFields(random));
  if (kind === 6) return api(token).post(`/tasks/${id}/archive`);
  if (kind === 7) return api(token).post(`/tasks/${id}/unarchive`);
  if (kind === 8)
    return api(token).patch('/tasks/bulk?mode=each', { ids: [...ids], set: { priority: 'high' } });
  return api(token).patch(`/tasks/${id}`, { parentId: random.chance(0.4) ? null : random.pick(ids) });
}

async function changeAsApp(random: Random, token: string, ids: number[], made: number[]) {
  const kind = random.integer(0, 9);
  if (kind < 7) return changeSomething(random, token, ids);
  if (kind === 7) {
    const task = { projectId: world.projects.joined.id, name: 'New', ...buildFields(random) };
    const { body } = await api(token).post('/tasks', task);
    if (body.id) made.push(body.id);
    return body;
  }
  return api(token).post(`/tasks/${random.pick(ids)}/comments`, { content: random.pick(words) });
}

/** Returns the new values of the columns that differ. */
function listDifferences(before: Row, after: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([column, value]) => before[column] !== value));
}

async function undoAll(person: Person, app: number): Promise<number> {
  let before: number | null = Number.MAX_SAFE_INTEGER;
  let undone = 0;
  for (let request = 0; before !== null && request < 20; request += 1) {
    const { status, body } = await runForm(person.token, undoAppSession, { app, before });
    expect(status, JSON.stringify(body)).toBe(200);
    undone += body.undone;
    if (!body.hasMore) before = body.next;
  }
  expect(before).toBeNull();
  return undone;
}

/**
 * Repeats every change of others on copies of the rows. After the undo, the rows must equal these copies, except tasks that
 * others have archived, and derived columns, which the counter check covers.
 */
async function compareCase(seed: number) {
  const random = createRandom(seed);
  const person = random.pick(Object.values(world.people));
  const { token, app } = await connectApp(world, person);
  const ids: number[] = [];
  for (let at = 0; at < TASKS; at += 1)
    ids.push((await createTask(world.people.owner, world.projects.joined.id, buildFields(random))).id);
  const others = Object.values(world.people).filter((each) => each !== person);
  const copies = new Map([...(await readRowsOf(ids))].map(([id, row]) => [id, { ...row }]));
  const made: number[] = [];
  const archivedByOthers = new Set<number>();
  for (let step = random.integer(1, 9); step > 0; step -= 1) {
    if (random.chance(0.7)) {
      await changeAsApp(random, token, ids, made);
      continue;
    }
    const before = await readRowsOf(ids);
    await changeSomething(random, random.pick(others).token, ids);
    for (const [id, row] of await readRowsOf(ids)) {
      const changed = listDifferences(before.get(id) ?? {}, row);
      Object.assign(copies.get(id) ?? {}, changed);
      if (changed.archived === 1) archivedByOthers.add(id);
      if (changed.archived === 0) archivedByOthers.delete(id);
    }
  }
  const asLeft = await readRowsOf(ids);
  await undoAll(person, app);
  const after = await readRowsOf(ids);
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
    const comparable = (each: Row) =>
      Object.fromEntries(Object.entries(each).filter(([column]) => !derived.includes(column)));
    expect(comparable(row), `task ${id} of seed ${seed}`).toEqual(comparable(expected));
  }
  for (const [id, row] of await readRowsOf(made))
    expect(row.archived, `new task ${id} of seed ${seed}`).toBe(1);
  const again = await runForm(person.token, getAppSession, { app });
  expect(again.body.steps.filter(({ outcome }: { outcome: string }) => /undo|later/.test(outcome))).toEqual(
    [],
  );
  expect(await undoAll(person, app)).toBe(0);
}

const seeds = Array.from({ length: CASES }, (_, index) => index + 1);

it.each(seeds)('undoing session %i restores everything except later changes by others', compareCase, 120_000);

it('leaves the counters correct', async () => expect(await findCounterDrift(world)).toEqual([]));
