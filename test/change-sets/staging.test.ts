import { beforeAll, describe, expect, it } from 'vitest';
import { cleanChangeSets } from '../../src/change-sets/lifecycle/clean-change-sets.ts';
import {
  applyChangeSet,
  getChangeSet,
  listChangeSets,
  rejectChangeSet,
} from '../../src/change-sets/review/review.ts';
import { grantToken } from '../contract/requests.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from '../mcp/client.ts';
import type { RestValue } from '../mcp/expected-results.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { openScope } from '../support/scope.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { proposeChange } from './propose.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

const beginChangeSet = async (person = world.people.lead) => {
  const token = await createOAuthToken(world, person);
  const { changeSet } = await callTool(token, 'begin_changes', {});
  return { token, id: changeSet as number };
};
const createTaskAsLead = async (fields = {}) =>
  (await createTask(world.people.lead, world.projects.joined.id, fields)).id;
const readTask = async (id: number) => (await api(world.people.lead.token).get(`/tasks/${id}`)).body;

describe('a change set', () => {
  it('stages changes without logging an event, and is mentioned in tool results', async () => {
    const task = await createTaskAsLead({ name: 'Stored' });
    const { token } = await beginChangeSet();
    const { body: feed } = await api(world.people.lead.token).get('/events?after=0&limit=300');
    const made = await getToolResult(token, 'create_task', {
      tasks: [{ project: 'Joined', name: 'Staged' }],
    });
    expect(getResultText(made)).toMatch(
      /^Staged in change set \d+\. Nothing changes until a person approves it\.\n/,
    );
    const { id } = made.structuredContent.results[0].task;
    await callTool(token, 'update_task', {
      updates: [
        { id, status: 'completed' },
        { id: task, name: 'Renamed' },
      ],
    });
    const found = await getToolResult(token, 'find_tasks', {
      counts: true,
      project: 'Joined',
      assignee: 'none',
    });
    expect(getResultText(found)).toMatch(/^Change set \d+ is open: its staged changes are included\.\n/);
    expect(found.structuredContent.data.slice(0, 2).map((each: RestValue) => [each.id, each.name])).toEqual([
      [id, 'Staged'],
      [task, 'Renamed'],
    ]);
    expect((await callTool(token, 'get_task', { id })).task).toMatchObject({
      status: 'completed',
      comments: [],
    });
    expect(await readTask(task)).toMatchObject({ name: 'Stored' });
    const { body: after } = await api(world.people.lead.token).get('/events?after=0&limit=300');
    expect(after.data.length).toBe(feed.data.length);
  });

  it('applies to every token of the same app and person, and to no other app', async () => {
    const task = await createTaskAsLead();
    const { lead } = world.people;
    const scopes = ['tasks:read', 'tasks:write'];
    const [first, second] = await Promise.all(
      [1, 2].map(() => grantToken(world, lead, scopes, { client: 'same-app' })),
    );
    // Uses the second token, so that it is cached before the first token begins the change set.
    await callTool(second as string, 'find_tasks', {});
    await callTool(first as string, 'begin_changes', {});
    await callTool(second as string, 'update_task', { updates: [{ id: task, name: 'Staged by both' }] });
    expect(await readTask(task)).toMatchObject({ name: 'A task' });
    expect((await callTool(first as string, 'get_task', { id: task })).task.name).toBe('Staged by both');
    const other = await createOAuthToken(world, lead);
    expect((await callTool(other, 'get_task', { id: task })).task.name).toBe('A task');
    await callTool(other, 'update_task', { updates: [{ id: task, priority: 'high' }] });
    expect(await readTask(task)).toMatchObject({ priority: 'high' });
  });

  it("rejects changes that can't be staged, and reads that can't include staged changes", async () => {
    const task = await createTaskAsLead();
    const { token } = await beginChangeSet();
    await callTool(token, 'update_task', { updates: [{ id: task, name: 'Staged' }] });
    const rejected = [
      ['add_comment', { taskId: task, file: { fileName: 'no.md', text: 'No' } }],
      ['set_timer', { taskId: task }],
      ['mark_notifications_read', { all: true }],
    ] as const;
    for (const [name, args] of rejected)
      expect(getResultText(await getToolResult(token, name, args))).toMatch(/While change set \d+ is open/);
    const unread = [
      ['get_dashboard', { view: 'workload' }],
      ['get_dashboard', { view: 'tasks' }],
      ['get_task', { id: task, part: 'history' }],
    ] as const;
    for (const [name, args] of unread)
      expect(getResultText(await getToolResult(token, name, args))).toMatch(/(?:can't|doesn't) include/);
    const { body } = await api(world.people.lead.token).get(`/tasks/${task}/comments`);
    expect(body.data).toEqual([]);
  });

  it("can't be opened while the app has another one open, and accepts up to 200 changes", async () => {
    const { token, id } = await beginChangeSet();
    expect(getResultText(await getToolResult(token, 'begin_changes', {}))).toMatch(/is already open/);
    const tasks = Array.from({ length: 50 }, () => ({ project: 'Joined', name: 'One of many' }));
    for (let at = 0; at < 4; at += 1) await callTool(token, 'create_task', { tasks });
    const more = await getToolResult(token, 'create_task', { tasks: tasks.slice(0, 1) });
    expect(getResultText(more)).toMatch(
      /can have up to 200 changes; change set \d+ has 200, and this call adds 1/,
    );
    const { total } = await callTool(token, 'find_tasks', { search: 'One of many' });
    expect(total).toBe(200);
    await callTool(token, 'propose_changes', {});
    const { status, body } = await runForm(world.people.lead.token, applyChangeSet, { id });
    expect([status, body]).toEqual([200, { id, applied: 200, conflicts: 0, rejected: 0 }]);
    expect((await callTool(token, 'find_tasks', { search: 'One of many' })).total).toBe(200);
  });

  it('rejects changes after it has expired, instead of applying them directly', async () => {
    const task = await createTaskAsLead();
    const { token, id } = await beginChangeSet();
    await callTool(token, 'update_task', { updates: [{ id: task, name: 'Late' }] });
    await getCell(world.cell)
      .prepare('UPDATE change_sets SET expires_at = ? WHERE id = ?')
      .bind(Date.now() - 1, id)
      .run();
    const stageLate = () => getToolResult(token, 'update_task', { updates: [{ id: task, priority: 'low' }] });
    expect(getResultText(await stageLate())).toMatch(
      /expired after 7 days, and none of its changes were made/,
    );
    expect(getResultText(await getToolResult(token, 'propose_changes', {}))).toMatch(/expired/);
    const scope = openScope();
    await cleanChangeSets.run(scope, world.cell, { left: 100 });
    const items = await getCell(world.cell)
      .prepare('SELECT count(*) AS n FROM change_set_items WHERE set_id = ?')
      .bind(id)
      .first<number>('n');
    expect(items).toBe(0);
    expect(getResultText(await stageLate())).toMatch(/expired/);
    await callTool(token, 'discard_changes', {});
    await callTool(token, 'update_task', { updates: [{ id: task, priority: 'low' }] });
    expect(await readTask(task)).toMatchObject({ name: 'A task', priority: 'low' });
  });

  it('stages the changes of a call only once if the call is repeated with its idempotency key', async () => {
    const { token } = await beginChangeSet();
    const args = { tasks: [{ project: 'Joined', name: 'Only once' }], idempotencyKey: crypto.randomUUID() };
    const first = await callTool(token, 'create_task', args);
    expect((await callTool(token, 'create_task', args)).results).toEqual(first.results);
    expect((await callTool(token, 'find_tasks', { search: 'Only once' })).total).toBe(1);
  });
});

describe('a proposed change set', () => {
  it('is visible only to the person who authorized the app', async () => {
    const { id } = await proposeChange(world, world.people.lead);
    for (const operation of [getChangeSet, applyChangeSet, rejectChangeSet]) {
      const { status } = await runForm(world.people.owner.token, operation, { id });
      expect(status).toBe(404);
    }
    const { body } = await runForm(world.people.owner.token, listChangeSets, {});
    expect(body.data.filter((each: RestValue) => each.id === id)).toEqual([]);
    expect((await runForm(world.people.lead.token, getChangeSet, { id })).body).toMatchObject({
      status: 'proposed',
      title: 'Rename it',
      reason: 'The name is too short',
      changes: [
        { no: 1, changes: [{ label: 'Name', from: 'A task', to: 'Renamed by an app' }], problem: null },
      ],
    });
  });

  it('skips a change that conflicts with a later edit, and applies the others', async () => {
    const [one, two] = [await createTaskAsLead(), await createTaskAsLead()];
    const { token, id } = await beginChangeSet();
    const changes = { name: 'Mine', priority: 'high' };
    await callTool(token, 'update_task', { updates: [one, two].map((task) => ({ id: task, ...changes })) });
    await callTool(token, 'propose_changes', {});
    await api(world.people.owner.token).patch(`/tasks/${one}`, { name: 'Theirs' });
    // A change to another field isn't a conflict.
    await api(world.people.owner.token).patch(`/tasks/${two}`, { status: 'completed' });
    const strict = { id, isAllOrNothing: true };
    expect((await runForm(world.people.lead.token, applyChangeSet, strict)).status).toBe(400);
    expect(await readTask(two)).toMatchObject({ name: 'A task' });
    const { body } = await runForm(world.people.lead.token, applyChangeSet, { id });
    expect(body).toEqual({ id, applied: 1, conflicts: 1, rejected: 0 });
    expect(await readTask(one)).toMatchObject({ name: 'Theirs', priority: 'medium' });
    expect(await readTask(two)).toMatchObject({ ...changes, status: 'completed' });
    const { body: decided } = await runForm(world.people.lead.token, getChangeSet, { id });
    expect(decided.changes.map((each: RestValue) => [each.result, each.problem])).toEqual([
      ['conflict', 'Someone has edited the name since the app proposed this change.'],
      ['applied', null],
    ]);
    expect((await callTool(token, 'propose_changes', { id: id })).status).toBe('applied');
  });

  it('applies only the selected changes, and can be approved only once', async () => {
    const { token, id } = await beginChangeSet();
    const made = await callTool(token, 'create_task', {
      tasks: ['First', 'Second'].map((name) => ({ project: 'Joined', name })),
    });
    const [first, second] = made.results.map((each: RestValue) => each.task.id);
    await callTool(token, 'update_task', {
      updates: [first, second].map((task) => ({ id: task, priority: 'high' })),
    });
    await callTool(token, 'propose_changes', {});
    // The first two changes create tasks, and the other two update these tasks. The first change isn't selected, so its
    // task can't be updated.
    const { body } = await runForm(world.people.lead.token, applyChangeSet, { id, items: [2, 3, 4] });
    expect(body).toEqual({ id, applied: 2, conflicts: 1, rejected: 1 });
    const again = await runForm(world.people.lead.token, applyChangeSet, { id });
    expect([again.status, again.body.error.message]).toEqual([
      400,
      `Change set ${id} is already applied. Nothing was changed.`,
    ]);
    const { data } = await callTool(token, 'find_tasks', { search: 'Second' });
    expect(data).toMatchObject([{ name: 'Second', priority: 'high' }]);
    expect((await callTool(token, 'find_tasks', { search: 'First' })).data).toEqual([]);
  });

  it('can be rejected with a reason, or discarded by the app', async () => {
    const { id, task } = await proposeChange(world, world.people.lead);
    const reject = { id, reason: 'Not now' };
    expect((await runForm(world.people.lead.token, rejectChangeSet, reject)).body).toMatchObject({
      rejected: 1,
    });
    expect(await readTask(task)).toMatchObject({ name: 'A task' });
    const other = await proposeChange(world, world.people.lead);
    await callTool(other.token, 'discard_changes', { id: other.id });
    expect((await runForm(world.people.lead.token, applyChangeSet, { id: other.id })).status).toBe(400);
    const { body } = await runForm(world.people.lead.token, getChangeSet, { id });
    expect(body.changes).toMatchObject([{ result: 'rejected', problem: 'Not now' }]);
  });
});
