import { expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { call, textOf, tokenOf, use } from '../mcp/client.ts';
import type { Rest } from '../mcp/shapes.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createRandom } from '../support/random.ts';
import { isLong } from '../support/tier.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';

type Random = ReturnType<typeof createRandom>;

const CASES = isLong ? 2_000 : 10;
/** Every case reads all tasks, so the cases are distributed over several workspaces. */
const CASES_PER_WORLD = 20;
const STORED_TASKS = 6;
const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const priorities = ['low', 'medium', 'high'];
const days = ['2026-01-05', '2026-11-27', '2026-11-28', '2026-12-01', '2027-03-01'];
const words = ['alpha', 'beta', 'gamma', 'delta'];

let world: World;

/** Builds fields that a tool can send for a task. Null clears a field. */
function buildFields(random: Random, isUpdate: boolean): Record<string, unknown> {
  const people = Object.values(world.people);
  const fields: Record<string, () => unknown> = {
    name: () => `${random.pick(words)} ${random.pick(words)}`,
    status: () => random.pick(statuses),
    priority: () => random.pick(priorities),
    assignee: () => (random.chance(0.3) && isUpdate ? null : random.pick(people).userId),
    deadline: () => (random.chance(0.2) && isUpdate ? null : random.pick(days)),
    description: () =>
      random.chance(0.2) && isUpdate
        ? null
        : `<p>${random.pick(words)}</p>`.repeat(random.chance(0.1) ? 700 : 1),
    startDate: () => random.pick(days),
    customEstimatedHours: () => random.pick(['0.5', '3', '12.25']),
    checklist: () =>
      random.chance(0.2) ? [] : ['alpha', '[x] beta', 'gamma'].filter(() => random.chance(0.6)),
  };
  const chosen = Object.keys(fields).filter((name) => (name === 'name' && !isUpdate) || random.chance(0.35));
  return Object.fromEntries(chosen.map((name) => [name, fields[name]?.()]));
}

async function replaceLines(token: string, id: number, lines: unknown) {
  if (lines === undefined) return;
  const items = (lines as string[]).map((line) => ({
    text: line.replace('[x] ', ''),
    isDone: line.startsWith('[x]'),
  }));
  await api(token).put(`/tasks/${id}/checklist`, { items });
}

/** Runs a call that may be rejected, for example because a task is archived. */
async function attempt(token: string, name: string, args: Record<string, unknown>): Promise<Rest | null> {
  const result = await call(token, name, args);
  return result.isError ? null : result.structuredContent;
}

async function stage(random: Random, token: string, stored: readonly number[]): Promise<number[]> {
  const ids = [...stored];
  for (let step = random.integer(1, 6); step > 0; step -= 1) {
    const kind = random.integer(0, 9);
    const some = () => [...new Set(Array.from({ length: random.integer(1, 4) }, () => random.pick(ids)))];
    if (kind < 3) {
      const tasks = Array.from({ length: random.integer(1, 3) }, () => ({
        project: random.pick([world.projects.joined.id, world.projects.other.id]),
        ...buildFields(random, false),
      }));
      const made = await attempt(token, 'create_task', { tasks, mode: 'each' });
      ids.push(...(made?.results ?? []).flatMap((each: Rest) => (each.task ? [each.task.id] : [])));
    } else if (kind < 8) {
      const updates = some().map((id) => ({ id, ...buildFields(random, true) }));
      await attempt(token, 'update_task', { updates, mode: random.pick(['all', 'each']) });
    } else {
      await attempt(token, 'set_task_archived', { ids: some(), isArchived: random.chance(0.6) });
    }
  }
  return ids;
}

/** Some of the edits conflict with staged changes. */
async function editAsOther(random: Random, ids: readonly number[]) {
  const { admin } = world.people;
  for (const id of ids.filter(() => random.chance(0.3))) {
    if (random.chance(0.2)) await api(admin.token).post(`/tasks/${id}/archive`, {});
    else {
      const { assignee: assigneeId, checklist, ...fields } = buildFields(random, true);
      await replaceLines(admin.token, id, checklist);
      await api(admin.token).patch(`/tasks/${id}`, {
        ...fields,
        ...(assigneeId !== undefined && { assigneeId }),
      });
    }
  }
}

function listFilters(hasOthers: boolean): Rest[] {
  return [
    { counts: true },
    { sort: 'due', limit: 5 },
    { status: ['open'], sort: 'due', limit: 100 },
    { assignee: 'me', limit: 100 },
    { assignee: ['none', world.people.member.userId], limit: 100 },
    { priority: ['high'], project: world.projects.joined.id, limit: 100 },
    { search: 'alpha', limit: 100 },
    { search: 'gamma', status: ['todo', 'completed'], sort: 'due', limit: 3 },
    { dueFrom: '2026-11-28', dueTo: '2026-12-31', limit: 100 },
    { scope: 'mine', limit: 100 },
    { isArchived: true, limit: 100 },
    // The order by last change differs while there are edits by others, because staged changes count as later.
    ...(hasOthers ? [] : [{ sort: 'updated', limit: 4 }]),
  ];
}

/** Reads the stored tasks as someone else sees them. */
async function readStored(token: string) {
  const { data, total } = await use(token, 'find_tasks', { limit: 100, sort: 'updated' });
  return { data, total, stats: (await use(token, 'get_dashboard', { view: 'stats' })).stats };
}

/** Reads everything that the tools show about tasks. `names` replaces provisional ids, and times are omitted. */
async function readWorld(
  token: string,
  ids: readonly number[],
  toId: (id: number) => number,
  filters: readonly Rest[],
) {
  const seen: unknown[] = [];
  for (const filter of filters) {
    let cursor: string | null | undefined;
    const rows: unknown[] = [];
    let first: Rest = {};
    do {
      const page: Rest = await use(token, 'find_tasks', { ...filter, ...(cursor && { cursor }) });
      if (!cursor) first = page;
      rows.push(...page.data.map((each: Rest) => ({ ...each, id: toId(each.id) })));
      cursor = page.nextCursor;
    } while (cursor);
    expect(rows, JSON.stringify(filter)).toHaveLength(first.total);
    seen.push({ filter, total: first.total, counts: first.counts, rows });
  }
  for (const id of ids) {
    const found = await call(token, 'get_task', { id: toId(id) });
    const { createdAt: _, updatedAt: __, ...task } = found.structuredContent?.task ?? {};
    seen.push(found.isError ? { id: toId(id) } : { ...task, id: toId(task.id) });
  }
  for (const filter of [{}, { status: 'completed' }, { project: world.projects.joined.id }]) {
    seen.push((await use(token, 'get_dashboard', { view: 'stats', ...filter })).stats);
  }
  seen.push(...(await use(token, 'find_projects', {})).data.map((each: Rest) => [each.id, each.taskCount]));
  return seen;
}

const isProvisional = (id: number) => id >= 1_000_000_000;

async function compareCase(seed: number) {
  const random = createRandom(seed);
  if (seed % CASES_PER_WORLD === 1) world = await createWorld();
  const person: Person = random.pick(Object.values(world.people));
  const token = await tokenOf(world, person);
  const { owner } = world.people;
  const hasOthers = random.chance(0.5);
  const stored: number[] = [];
  for (let at = 0; at < STORED_TASKS; at += 1) {
    const { assignee: assigneeId, checklist, ...fields } = buildFields(random, false);
    const project = random.pick([world.projects.joined, world.projects.other]);
    const { id } = await createTask(owner, project.id, {
      ...fields,
      ...(assigneeId !== undefined && { assigneeId }),
    });
    await replaceLines(owner.token, id, checklist);
    stored.push(id);
  }
  const bystander = await tokenOf(world, owner);
  const before = await readStored(bystander);

  const { changeSet } = await use(token, 'begin_changes', {});
  const ids = await stage(random, token, stored);
  const staged = await use(token, 'find_tasks', { limit: 1 });
  expect(await readStored(bystander)).toEqual(before);
  if (hasOthers) await editAsOther(random, stored);
  const others = await readStored(bystander);
  const every = listFilters(hasOthers);
  const filters = Array.from({ length: 5 }, () => random.pick(every));
  const pending = await readWorld(token, ids, (id) => id, filters);
  const proposed = await call(token, 'propose_changes', {});
  if (proposed.isError) {
    expect(textOf(proposed)).toMatch(/has no changes to propose/);
    await use(token, 'discard_changes', {});
    expect(staged.total).toBe((await use(token, 'find_tasks', { limit: 1 })).total);
    return;
  }
  const { conflicts, changes } = proposed.structuredContent;
  expect(await readStored(bystander)).toEqual(others);

  const { body: decided, status } = await runForm(person.token, applyChangeSet, { id: changeSet });
  expect(status).toBe(200);
  expect(decided).toMatchObject({ conflicts, applied: changes - conflicts, rejected: 0 });
  const { body: detail } = await runForm(person.token, getChangeSet, { id: changeSet });
  expect(detail.changes.filter((each: Rest) => each.result === 'conflict' && !each.problem)).toEqual([]);
  const made = new Map<number, number>();
  const creates = detail.changes.filter((each: Rest) => each.operation === 'create');
  for (const { no, task } of creates) made.set(1_000_000_000 + changeSet * 200 + no, task);
  const toReal = (id: number) => made.get(id) ?? id;
  const applied = await readWorld(token, ids, toReal, filters);
  const mapped = JSON.parse(JSON.stringify(pending), (key, value) =>
    key === 'id' && typeof value === 'number' && isProvisional(value) ? toReal(value) : value,
  );
  expect(applied).toEqual(mapped);
}

const seeds = Array.from({ length: CASES }, (_, index) => index + 1);

it.each(seeds)(
  'change set %i shows its app exactly what an approval would apply, and is hidden from everyone else',
  compareCase,
);
