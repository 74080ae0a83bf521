import { beforeAll, describe, expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from '../mcp/client.ts';
import type { RestValue } from '../mcp/expected-results.ts';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

async function beginChangeSet() {
  const token = await createOAuthToken(world, world.people.lead);
  const { changeSet } = await callTool(token, 'begin_changes', {});
  return { token, id: changeSet as number };
}

const createOwnTask = async (fields = {}) =>
  (await createTask(world.people.lead, world.projects.joined.id, fields)).id;
const readTask = async (id: number) =>
  (await api(world.people.owner.token).get(`/tasks/${id}?expand=structure,recurrence`)).body;
const listProblems = async (id: number) =>
  (await runForm(world.people.lead.token, getChangeSet, { id })).body.changes.map(
    (each: RestValue) => each.problem,
  );

describe('staged subtasks', () => {
  it('are counted and listed under stored and new parents, and applied with them', async () => {
    const { lead } = world.people;
    const [parent, child, moved] = [await createOwnTask(), await createOwnTask(), await createOwnTask()];
    await api(lead.token).patch(`/tasks/${child}`, { parentId: parent });
    const { token, id } = await beginChangeSet();
    const create = async (fields: Record<string, unknown>) =>
      (await callTool(token, 'create_task', { tasks: [{ project: 'Joined', ...fields }] })).results[0].task
        .id;
    const epic = await create({ name: 'Epic' });
    const below = await create({ name: 'Below', parent: epic });
    await callTool(token, 'update_task', {
      updates: [
        { id: child, status: 'completed' },
        { id: moved, parent: epic },
        { id: epic, parent },
      ],
    });
    const { task: shown } = await callTool(token, 'get_task', { id: parent });
    expect(shown.subtasks).toEqual({ total: 2, completed: 1 });
    expect(shown.subtaskRows.map((each: RestValue) => each.id)).toEqual([child, epic]);
    const { task: shownEpic } = await callTool(token, 'get_task', { id: epic });
    expect(shownEpic.parent.id).toBe(parent);
    expect(shownEpic.subtaskRows.map((each: RestValue) => each.id)).toEqual([below, moved]);
    expect((await readTask(parent)).subtasks).toEqual({ total: 1, completed: 0 });
    await callTool(token, 'propose_changes', {});
    const { body: review } = await runForm(lead.token, getChangeSet, { id });
    expect(review.changes[3].changes).toEqual([{ label: 'Parent task', from: '', to: 'Epic' }]);
    const { body } = await runForm(lead.token, applyChangeSet, { id });
    expect(body).toMatchObject({ applied: 5, conflicts: 0 });
    const { body: applied } = await runForm(lead.token, getChangeSet, { id });
    const created = applied.changes[0].task;
    expect(await readTask(parent)).toMatchObject({ subtasks: { total: 2, completed: 1 } });
    expect(await readTask(created)).toMatchObject({ parent: { id: parent }, subtasks: { total: 2 } });
    expect(await readTask(moved)).toMatchObject({ parent: { id: created } });
    const { body: history } = await api(lead.token).get(`/tasks/${moved}/activities`);
    expect(history.data[0]).toMatchObject({ type: 'parent_changed', to: String(created) });
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('are skipped if their parent is archived, gone or left out, or if someone else has moved them', async () => {
    const { lead, owner } = world.people;
    const [archived, other, taken, task, last] = [
      await createOwnTask(),
      await createOwnTask(),
      await createOwnTask(),
      await createOwnTask(),
      await createOwnTask(),
    ];
    const { token, id } = await beginChangeSet();
    const made = await callTool(token, 'create_task', { tasks: [{ project: 'Joined', name: 'Epic' }] });
    await callTool(token, 'update_task', {
      updates: [
        { id: task, parent: archived },
        { id: taken, parent: other },
        { id: last, parent: made.results[0].task.id },
      ],
    });
    await callTool(token, 'propose_changes', {});
    await api(owner.token).post(`/tasks/${archived}/archive`);
    await api(owner.token).patch(`/tasks/${taken}`, { parentId: last });
    expect(await listProblems(id)).toEqual([
      null,
      `Parent task ${archived} is archived. Restore it first.`,
      'Someone has edited the parent since the app proposed this change.',
      null,
    ]);
    const { body } = await runForm(lead.token, applyChangeSet, { id, items: [2, 3, 4] });
    expect(body).toEqual({ id, applied: 0, conflicts: 3, rejected: 1 });
    expect((await listProblems(id)).at(-1)).toBe("The parent is a new task that won't be created.");
    expect((await readTask(task)).parent).toBeNull();
  });

  it('are rejected where a direct change would be', async () => {
    const [parent, child] = [await createOwnTask(), await createOwnTask()];
    const { token } = await beginChangeSet();
    await callTool(token, 'update_task', { updates: [{ id: child, parent }] });
    for (const [args, message] of [
      [{ id: parent, parent: child }, /is a subtask of this task/],
      [{ id: parent, parent }, /is the task itself/],
      [{ id: parent, parent: 999_999 }, /999999/],
    ] as const)
      expect(getResultText(await getToolResult(token, 'update_task', { updates: [args] }))).toMatch(message);
    const { refused } = await callTool(token, 'set_task_archived', { ids: [parent], isArchived: true });
    expect(refused[0].error).toMatch(/has subtasks, which would be archived/);
    const preview = await callTool(token, 'update_task', {
      updates: [{ id: parent, parent: child }],
      mode: 'each',
      dryRun: true,
    });
    expect(preview.results[0].error).toMatch(/is a subtask of this task/);
  });
});

describe('a staged recurrence', () => {
  it('is shown to the app only, and applied with the deadline of the same set', async () => {
    const { lead } = world.people;
    const [task, stopped] = [await createOwnTask(), await createOwnTask()];
    await api(lead.token).put(`/tasks/${stopped}/recurrence`, { rule: 'FREQ=DAILY', mode: 'schedule' });
    const { token, id } = await beginChangeSet();
    const made = await callTool(token, 'create_task', {
      tasks: [{ project: 'Joined', name: 'New', repeat: 'after 3 days' }],
    });
    const provisional = made.results[0].task.id;
    await callTool(token, 'update_task', {
      updates: [
        { id: task, repeat: 'FREQ=WEEKLY;BYDAY=MO' },
        { id: stopped, repeat: null },
      ],
    });
    await callTool(token, 'update_task', { updates: [{ id: task, deadline: '2026-12-07' }] });
    const readRule = async (of: number) => (await callTool(token, 'get_task', { id: of })).task.recurrence;
    expect(await readRule(task)).toMatchObject({ rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'schedule' });
    expect(await readRule(stopped)).toBeNull();
    expect(await readRule(provisional)).toMatchObject({ mode: 'completion', days: 3 });
    expect((await readTask(task)).recurrence).toBeNull();
    await callTool(token, 'propose_changes', {});
    const { body: review } = await runForm(lead.token, getChangeSet, { id });
    expect(review.changes[1].changes).toEqual([{ label: 'Repeats', from: '', to: 'Every Monday' }]);
    expect(review.changes[2].changes).toEqual([{ label: 'Repeats', from: 'Every day', to: '' }]);
    expect((await runForm(lead.token, applyChangeSet, { id })).body.applied).toBe(4);
    const { body: applied } = await runForm(lead.token, getChangeSet, { id });
    expect((await readTask(task)).recurrence).toMatchObject({ rule: 'FREQ=WEEKLY;BYDAY=MO' });
    expect((await readTask(stopped)).recurrence).toBeNull();
    expect((await readTask(applied.changes[0].task)).recurrence).toMatchObject({ days: 3 });
  });

  it("is skipped if someone else has changed it, and can't be combined with a completion", async () => {
    const { owner } = world.people;
    const task = await createOwnTask();
    const { token, id } = await beginChangeSet();
    await callTool(token, 'update_task', { updates: [{ id: task, repeat: 'after 7 days' }] });
    const completed = await getToolResult(token, 'update_task', {
      updates: [{ id: task, status: 'completed' }],
    });
    expect(getResultText(completed)).toMatch(/can't both complete task \d+ and change its recurrence/);
    await callTool(token, 'propose_changes', {});
    await api(owner.token).put(`/tasks/${task}/recurrence`, { rule: 'FREQ=DAILY', mode: 'schedule' });
    expect(await listProblems(id)).toEqual([
      'Someone has edited the recurrence since the app proposed this change.',
    ]);
  });
});
