// This file is long because every bulk call is compared with the single requests that it replaces.
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createProject, createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, eras, getResultText, getToolResult, sendRequest } from './client.ts';
import type { RestValue } from './expected-results.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

const findTasks = async (search: string) =>
  (await callTool(token, 'find_tasks', { search, limit: 100 })).data as RestValue[];

/** Reads the task's history and events, and the member's notifications about it, without ids and times. */
async function readTraces(id: number) {
  const { body: history } = await api(token).get(`/tasks/${id}/activities?limit=100`);
  const { body: inbox } = await api(world.people.member.token).get('/notifications?limit=100');
  const { body: feed } = await api(token).get('/events?after=0&limit=300');
  return {
    history: history.data.map((each: RestValue) => [each.type, each.from, each.to, each.actor.id]),
    notifications: inbox.data
      .filter((each: RestValue) => each.task?.id === id)
      .map((each: RestValue) => each.type),
    events: feed.data
      .filter((each: RestValue) => each.task?.id === id)
      .map((each: RestValue) => [each.type, each.changes, each.actor.id]),
  };
}

describe('create_task and update_task', () => {
  it('write the same history, notifications and events for each of forty tasks as a single request does', async () => {
    const { member } = world.people;
    const { joined } = world.projects;
    const draft = { name: 'Made at once', priority: 'high', deadline: '2027-01-04' };
    const tasks = Array.from({ length: 40 }, () => ({
      ...draft,
      project: 'Joined',
      assignee: 'Member Test',
    }));
    const made = await callTool(token, 'create_task', { tasks });
    expect(made).toMatchObject({ succeeded: 40, failed: 0 });
    const ids: number[] = made.results.map((each: RestValue) => each.task.id);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    const single = await api(token).post('/tasks', {
      ...draft,
      projectId: joined.id,
      assigneeId: member.userId,
    });
    const alone = await readTraces(single.body.id);
    expect(alone.notifications).toEqual(['task_assigned']);
    for (const id of [ids[0], ids[39]]) expect(await readTraces(id as number)).toEqual(alone);

    const updates = ids.map((id) => ({ id, status: 'completed', assignee: 'me' }));
    const changed = await callTool(token, 'update_task', { updates });
    expect(changed).toMatchObject({ succeeded: 40, failed: 0 });
    const change = { status: 'completed', assigneeId: world.people.lead.userId };
    await api(token).patch(`/tasks/${single.body.id}`, change);
    const after = await readTraces(single.body.id);
    for (const id of [ids[0], ids[39]]) expect(await readTraces(id as number)).toEqual(after);
  });

  it('write nothing if one item is rejected, and report every item with an unknown name', async () => {
    const tasks = [
      { project: 'Joined', name: 'Whole one' },
      { project: 'Joined', name: 'Whole two', assignee: 'Nobody' },
      { project: 'Nowhere', name: 'Whole three' },
    ];
    const names = await getToolResult(token, 'create_task', { tasks });
    expect(names.isError).toBe(true);
    expect(getResultText(names).split('\n')).toEqual([
      expect.stringMatching(/^tasks\[1\]: No one in this workspace matches 'Nobody'/),
      expect.stringMatching(/^tasks\[2\]: No project 'Nowhere'/),
    ]);
    const rule = await getToolResult(token, 'create_task', {
      tasks: [tasks[0], { ...tasks[0], typeId: 1 }],
    });
    expect(getResultText(rule)).toMatch(/^tasks\[1\]\.typeId 1 is not a type in this workspace/);
    expect(await findTasks('Whole')).toEqual([]);
  });

  it('process valid items with mode "each", and return an error for every invalid item', async () => {
    const archived = (await createTask(world.people.lead, world.projects.joined.id)).id;
    await api(token).post(`/tasks/${archived}/archive`);
    const made = await getToolResult(token, 'create_task', {
      mode: 'each',
      tasks: [
        { project: 'Joined', name: 'Each one' },
        { project: 'Joined', name: 'Each two', assignee: 'Nobody' },
        { project: 'Joined', name: 'Each three', typeId: 1 },
        { project: 'Joined', name: 'Each four', assignee: 'me' },
      ],
    });
    const { results, succeeded, failed } = made.structuredContent;
    expect([succeeded, failed]).toEqual([2, 2]);
    expect(results.map((each: RestValue) => [each.index, each.task?.name, each.error?.slice(0, 16)])).toEqual(
      [
        [0, 'Each one', undefined],
        [1, undefined, 'No one in this w'],
        [2, undefined, 'typeId 1 is not '],
        [3, 'Each four', undefined],
      ],
    );
    expect(getResultText(made).split('\n').at(-1)).toBe('Created 2 of 4; 2 rejected.');
    const changed = await callTool(token, 'update_task', {
      mode: 'each',
      updates: [
        { id: archived, name: 'No' },
        { id: results[0].task.id, name: 'Each renamed' },
      ],
    });
    expect(changed.results[0].error).toContain('set_task_archived');
    expect(changed.results[0].task).toEqual({ id: archived });
    expect(changed.results[1].task).toEqual({ id: results[0].task.id });
    expect(await findTasks('Each renamed')).toMatchObject([{ id: results[0].task.id }]);
  });

  it.each(eras)('run only once if a call is repeated with the same idempotency key (%s)', async (era) => {
    const args = {
      tasks: [{ project: 'Joined', name: `Once ${era}` }],
      idempotencyKey: `key ${era}`,
    };
    const first = await getToolResult(token, 'create_task', args, era);
    const second = await getToolResult(token, 'create_task', args, era);
    expect(second.structuredContent).toEqual({ ...first.structuredContent, replayed: true });
    expect(getResultText(second).split('\n')).toEqual([
      ...getResultText(first).split('\n'),
      "This is the result of an earlier call with this idempotencyKey. The call wasn't repeated.",
    ]);
    await Promise.all([
      getToolResult(token, 'create_task', args, era),
      getToolResult(token, 'create_task', args, era),
    ]);
    expect(await findTasks(`Once ${era}`)).toHaveLength(1);
    const other = await getToolResult(
      token,
      'create_task',
      { ...args, tasks: [{ ...args.tasks[0], name: 'Other' }] },
      era,
    );
    expect(other.isError).toBe(true);
    expect(getResultText(other)).toContain('was already used with a different request');
  });

  it('describe their effects in a dry run, and write nothing', async () => {
    const { id } = await createTask(world.people.lead, world.projects.joined.id, { name: 'Dry' });
    const readLatestSeq = async () => (await api(token).get('/events')).body.meta.nextAfter;
    const before = await readLatestSeq();
    const made = await getToolResult(token, 'create_task', {
      dryRun: true,
      tasks: [
        { project: 'Joined', name: 'Drier' },
        { project: 'Joined', name: 'Driest', assignee: 'Nobody' },
      ],
    });
    expect(getResultText(made).split('\n')).toEqual([
      'Would create item 0',
      expect.stringMatching(/^Item 1 rejected: No one in this workspace matches 'Nobody'/),
      'Would create 1 of 2; 1 rejected.',
    ]);
    const changed = await getToolResult(token, 'update_task', {
      dryRun: true,
      updates: [{ id, status: 'completed', priority: 'medium', deadline: '2027-02-02' }],
    });
    expect(getResultText(changed)).toBe(`Would change #${id} Dry | status from todo, deadline`);
    const archived = await getToolResult(token, 'set_task_archived', {
      dryRun: true,
      ids: [id, 999_999],
      isArchived: true,
    });
    expect(getResultText(archived)).toContain(`Would change #${id} Dry`);
    expect(getResultText(archived)).toContain('#999999 rejected: No task');
    expect(await readLatestSeq()).toBe(before);
  });

  it('return the ids of fifty tasks with names of maximum length in at most 25 KB', async () => {
    const tasks = Array.from({ length: 50 }, () => ({ project: 'Joined', name: 'ü'.repeat(500) }));
    const { results } = await callTool(token, 'create_task', { tasks });
    expect(results.filter((each: RestValue) => Number.isInteger(each.task.id))).toHaveLength(50);
  });
});

describe('set_task_archived', () => {
  it('returns the number of tasks that match a filter, and changes exactly those when calls confirm the number', async () => {
    const { lead, member } = world.people;
    const project = await createProject(world, { owner: lead, members: [member], name: 'Finished' });
    const tasks = Array.from({ length: 130 }, (_, index) => ({
      projectId: project.id,
      name: `Done ${index}`,
      status: index < 120 ? 'completed' : 'todo',
    }));
    await api(lead.token).post('/tasks/bulk', { tasks: tasks.slice(0, 100) });
    await api(lead.token).post('/tasks/bulk', { tasks: tasks.slice(100) });
    const asked = { isArchived: true, filter: { project: 'Finished', status: ['completed'] } };
    const first = await getToolResult(token, 'set_task_archived', asked);
    expect(getResultText(first).split('\n').at(-1)).toBe(
      '120 match. Nothing was changed: call again with count=120 to change them.',
    );
    const wrong = await getToolResult(token, 'set_task_archived', { ...asked, count: 119 });
    expect(wrong.isError).toBe(true);
    expect(getResultText(wrong)).toContain('which is 120; got 119. Nothing was changed.');
    const some = await getToolResult(token, 'set_task_archived', { ...asked, count: 120 });
    expect(getResultText(some)).toContain('Still matching: 20. To change them, call again with count=20.');
    const rest = await callTool(token, 'set_task_archived', { ...asked, count: 20 });
    expect(new Set([...some.structuredContent.done, ...rest.done]).size).toBe(120);
    const left = await callTool(token, 'find_tasks', { project: 'Finished', counts: true });
    expect(left).toMatchObject({ total: 10, counts: { todo: 10, completed: 0 } });
    const gone = await callTool(token, 'find_tasks', { project: 'Finished', isArchived: true });
    expect(gone.total).toBe(120);
    const ids = rest.done;
    const back = await callTool(token, 'set_task_archived', {
      isArchived: false,
      ids,
      idempotencyKey: 'back',
    });
    expect(back).toEqual({ done: ids, refused: [] });
  });

  it.each<[object, string]>([
    [{ isArchived: true }, 'Send either ids or filter.'],
    [{ isArchived: true, ids: [1], filter: {} }, 'Send either ids or filter.'],
    [{ isArchived: true, ids: [1], count: 1 }, "count can't be combined with ids"],
    [
      { isArchived: true, filter: { states: ['completed'] } },
      "unknown field 'filter.states' (did you mean 'status'?)",
    ],
  ])('rejects %j', async (args, words) => {
    const result = await getToolResult(token, 'set_task_archived', { ...args });
    expect(result.isError).toBe(true);
    expect(getResultText(result)).toContain(words);
  });
});

it('a call that changes many tasks in different ways runs at most 50 statements', async () => {
  const updates = (await findTasks('Made at once')).slice(0, 50).map(({ id }, index) => ({
    id,
    name: `Made at once ${index}`,
    assignee: index % 2 ? 'Member Test' : null,
  }));
  const response = await sendRequest('modern', token, 'tools/call', {
    name: 'update_task',
    arguments: { updates },
  });
  // The request sent at most 50 statements, because `send` would reject it otherwise.
  expect(await response.json()).toMatchObject({
    result: { structuredContent: { succeeded: updates.length } },
  });
});
