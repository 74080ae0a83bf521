// This file is long because a random set can contain every kind of change.
import { expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from '../mcp/client.ts';
import type { RestValue } from '../mcp/expected-results.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createRandom } from '../support/random.ts';
import { isLong } from '../support/tier.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';

type Random = ReturnType<typeof createRandom>;

const CASES = isLong ? 2_000 : 10;
/** Every case reads all tasks of its workspace, so each workspace is used for only this many cases. */
const CASES_PER_WORLD = 20;
const STORED_TASKS = 6;
const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const priorities = ['low', 'medium', 'high'];
const days = ['2026-01-05', '2026-11-27', '2026-11-28', '2026-12-01', '2027-03-01'];
/** Completing a task that repeats on completion would create another task. */
const rules = ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO'];
const words = ['alpha', 'beta', 'gamma', 'delta'];

let world: World;

/** Builds arguments for a tool that creates or updates a task. Null clears a field. */
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
    repeat: () => (random.chance(0.3) && isUpdate ? null : random.pick(rules)),
    checklist: () =>
      random.chance(0.2) ? [] : ['alpha', '[x] beta', 'gamma'].filter(() => random.chance(0.6)),
  };
  const chosen = Object.keys(fields).filter((name) => (name === 'name' && !isUpdate) || random.chance(0.35));
  return Object.fromEntries(chosen.map((name) => [name, fields[name]?.()]));
}

async function replaceChecklist(token: string, id: number, lines: unknown) {
  if (lines === undefined) return;
  const items = (lines as string[]).map((line) => ({
    text: line.replace('[x] ', ''),
    isDone: line.startsWith('[x]'),
  }));
  await api(token).put(`/tasks/${id}/checklist`, { items });
}

async function setRecurrence(token: string, id: number, repeat: unknown) {
  if (repeat === null) await api(token).delete(`/tasks/${id}/recurrence`);
  else await api(token).put(`/tasks/${id}/recurrence`, { rule: repeat, mode: 'schedule' });
}

async function tryTool(
  token: string,
  name: string,
  args: Record<string, unknown>,
): Promise<RestValue | null> {
  const result = await getToolResult(token, name, args);
  return result.isError ? null : result.structuredContent;
}

function buildTimeEntry(random: Random, ids: readonly number[]) {
  const start = Date.UTC(2026, 0, 5) + random.integer(0, 200) * 3_600_000;
  const endTime = new Date(start + random.integer(1, 90) * 60_000).toISOString();
  return { taskId: random.pick(ids), startTime: new Date(start).toISOString(), endTime };
}

async function stageChanges(random: Random, token: string, stored: readonly number[]): Promise<number[]> {
  const ids = [...stored];
  for (let step = random.integer(1, 6); step > 0; step -= 1) {
    const kind = random.integer(0, 13);
    const pickSome = () => [...new Set(Array.from({ length: random.integer(1, 4) }, () => random.pick(ids)))];
    if (kind < 3) {
      const tasks = Array.from({ length: random.integer(1, 3) }, () => ({
        project: random.pick([world.projects.joined.id, world.projects.other.id]),
        ...buildFields(random, false),
        ...(random.chance(0.3) && { parent: random.pick(ids) }),
      }));
      const made = await tryTool(token, 'create_task', { tasks, mode: 'each' });
      ids.push(...(made?.results ?? []).flatMap((each: RestValue) => (each.task ? [each.task.id] : [])));
    } else if (kind < 8) {
      const updates = pickSome().map((id) => ({
        id,
        ...buildFields(random, true),
        ...(random.chance(0.3) && { parent: random.chance(0.3) ? null : random.pick(ids) }),
      }));
      await tryTool(token, 'update_task', { updates, mode: random.pick(['all', 'each']) });
    } else if (kind > 11) {
      const entries = Array.from({ length: random.integer(1, 3) }, () => buildTimeEntry(random, ids));
      await tryTool(token, 'set_timer', { entries });
    } else if (kind > 9) {
      const target = random.chance(0.5) ? { taskId: random.pick(ids) } : { taskIds: pickSome() };
      await tryTool(token, 'add_comment', {
        ...target,
        content: `${random.pick(words)} ${random.pick(words)}`,
      });
    } else {
      await tryTool(token, 'set_task_archived', { ids: pickSome(), isArchived: random.chance(0.6) });
    }
  }
  return ids;
}

/** Edits some tasks as an admin. The edits can conflict with staged changes. */
async function editAsOther(random: Random, ids: readonly number[]) {
  const { admin } = world.people;
  for (const id of ids.filter(() => random.chance(0.3))) {
    const kind = random.integer(0, 9);
    if (kind < 2) await api(admin.token).post(`/tasks/${id}/archive`, {});
    else if (kind === 2)
      await api(admin.token).post(`/tasks/${id}/comments`, { content: random.pick(words) });
    else if (kind === 3)
      await api(admin.token).patch(`/tasks/${id}`, {
        parentId: random.chance(0.3) ? null : random.pick(ids),
      });
    else {
      const { assignee: assigneeId, checklist, repeat, ...fields } = buildFields(random, true);
      if (repeat !== undefined) await setRecurrence(admin.token, id, repeat);
      await replaceChecklist(admin.token, id, checklist);
      await api(admin.token).patch(`/tasks/${id}`, {
        ...fields,
        ...(assigneeId !== undefined && { assigneeId }),
      });
    }
  }
}

function listFilters(hasOthers: boolean): RestValue[] {
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
    // Skips sorting by last update if others have edited tasks, because staged changes sort as newer than the edits.
    ...(hasOthers ? [] : [{ sort: 'updated', limit: 4 }]),
  ];
}

async function readStoredTasks(token: string) {
  const { data, total } = await callTool(token, 'find_tasks', { limit: 100, sort: 'updated' });
  return { data, total, stats: (await callTool(token, 'get_dashboard', { view: 'stats' })).stats };
}

const omitPendingParts = (comments: RestValue[]) =>
  comments.map(({ content, author }) => ({ content, author }));

/** Reads tasks, statistics and projects with MCP tools. Omits when tasks were created and updated. */
async function readComparableTasks(
  token: string,
  ids: readonly number[],
  toId: (id: number) => number,
  filters: readonly RestValue[],
) {
  const seen: unknown[] = [];
  for (const filter of filters) {
    let cursor: string | null | undefined;
    const rows: unknown[] = [];
    let first: RestValue = {};
    do {
      const page: RestValue = await callTool(token, 'find_tasks', { ...filter, ...(cursor && { cursor }) });
      if (!cursor) first = page;
      rows.push(...page.data.map((each: RestValue) => ({ ...each, id: toId(each.id) })));
      cursor = page.nextCursor;
    } while (cursor);
    expect(rows, JSON.stringify(filter)).toHaveLength(first.total);
    seen.push({ filter, total: first.total, counts: first.counts, rows });
  }
  for (const id of ids) {
    const found = await getToolResult(token, 'get_task', { id: toId(id) });
    const { createdAt: _, updatedAt: __, comments, ...task } = found.structuredContent?.task ?? {};
    if (found.isError) {
      seen.push({ id: toId(id) });
      continue;
    }
    const page = await callTool(token, 'get_task', { id: toId(id), part: 'comments', limit: 3 });
    seen.push({ ...task, id: toId(task.id), comments: [comments, page.data].map(omitPendingParts) });
    seen.push([page.total, page.nextCursor !== null]);
  }
  const times = await callTool(token, 'get_time', { view: 'entries', limit: 3 });
  seen.push([times.total, times.nextCursor !== null]);
  seen.push(
    times.data.map(({ startTime, endTime, taskId }: RestValue) => ({ startTime, endTime, id: toId(taskId) })),
  );
  for (const filter of [{}, { status: 'completed' }, { project: world.projects.joined.id }]) {
    seen.push((await callTool(token, 'get_dashboard', { view: 'stats', ...filter })).stats);
  }
  seen.push(
    ...(await callTool(token, 'find_projects', {})).data.map((each: RestValue) => [each.id, each.taskCount]),
  );
  return seen;
}

const isProvisional = (id: number) => id >= 1_000_000_000;

async function compareCase(seed: number) {
  const random = createRandom(seed);
  if (seed % CASES_PER_WORLD === 1) world = await createWorld();
  const person: Person = random.pick(Object.values(world.people));
  const token = await createOAuthToken(world, person);
  const { owner } = world.people;
  const hasOthers = random.chance(0.5);
  const stored: number[] = [];
  for (let at = 0; at < STORED_TASKS; at += 1) {
    const { assignee: assigneeId, checklist, repeat, ...fields } = buildFields(random, false);
    const project = random.pick([world.projects.joined, world.projects.other]);
    const { id } = await createTask(owner, project.id, {
      ...fields,
      ...(assigneeId !== undefined && { assigneeId }),
    });
    await replaceChecklist(owner.token, id, checklist);
    if (repeat !== undefined) await setRecurrence(owner.token, id, repeat);
    stored.push(id);
  }
  if (random.chance(0.5)) await api(person.token).post('/timer/entries', buildTimeEntry(random, stored));
  for (const id of stored.filter(() => random.chance(0.3)))
    await api(owner.token).patch(`/tasks/${id}`, { parentId: random.pick(stored) });
  const bystander = await createOAuthToken(world, owner);
  const before = await readStoredTasks(bystander);

  const { changeSet } = await callTool(token, 'begin_changes', {});
  const ids = await stageChanges(random, token, stored);
  const staged = await callTool(token, 'find_tasks', { limit: 1 });
  expect(await readStoredTasks(bystander)).toEqual(before);
  if (hasOthers) await editAsOther(random, stored);
  if (hasOthers) await api(person.token).post('/timer/entries', buildTimeEntry(random, stored));
  const others = await readStoredTasks(bystander);
  const every = listFilters(hasOthers);
  const filters = Array.from({ length: 5 }, () => random.pick(every));
  const pending = await readComparableTasks(token, ids, (id) => id, filters);
  const proposed = await getToolResult(token, 'propose_changes', {});
  if (proposed.isError) {
    expect(getResultText(proposed)).toMatch(/has no changes to propose/);
    await callTool(token, 'discard_changes', {});
    // `editAsOther` may have archived tasks.
    if (!hasOthers) expect(staged.total).toBe((await callTool(token, 'find_tasks', { limit: 1 })).total);
    return;
  }
  const { conflicts, changes } = proposed.structuredContent;
  expect(await readStoredTasks(bystander)).toEqual(others);

  const { body: decided, status } = await runForm(person.token, applyChangeSet, { id: changeSet });
  expect(status).toBe(200);
  expect(decided).toMatchObject({ conflicts, applied: changes - conflicts, rejected: 0 });
  const { body: detail } = await runForm(person.token, getChangeSet, { id: changeSet });
  expect(detail.changes.filter((each: RestValue) => each.result === 'conflict' && !each.problem)).toEqual([]);
  const made = new Map<number, number>();
  const creates = detail.changes.filter((each: RestValue) => each.operation === 'create');
  for (const { no, task } of creates) made.set(1_000_000_000 + changeSet * 200 + no, task);
  const toRealId = (id: number) => made.get(id) ?? id;
  const applied = await readComparableTasks(token, ids, toRealId, filters);
  const mapped = JSON.parse(JSON.stringify(pending), (key, value) =>
    key === 'id' && typeof value === 'number' && isProvisional(value) ? toRealId(value) : value,
  );
  expect(applied).toEqual(mapped);
}

const seeds = Array.from({ length: CASES }, (_, index) => index + 1);

it.each(seeds)(
  'change set %i shows its app exactly what an approval would apply, and is hidden from everyone else',
  compareCase,
);
