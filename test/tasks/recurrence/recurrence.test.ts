// This file is long because its tests share the functions that create recurring tasks and run the cron job.
import { describe, expect, it } from 'vitest';
import { addDays, toInstant, toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { Budget } from '../../../src/kernel/sql/budget.ts';
import { SUBTASKS_MAX } from '../../../src/tasks/model/tasks.schema.ts';
import { moveCard } from '../../../src/tasks/operations/move-card.ts';
import { setRecurrence } from '../../../src/tasks/operations/recurrence.ts';
import { repeatTasks } from '../../../src/tasks/operations/repeat-tasks.ts';
import { updateTask } from '../../../src/tasks/operations/tasks.ts';
import { updateWorkspace } from '../../../src/workspaces/settings/change-workspace.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

const today = toWallClock(Date.now(), 'UTC').date;
const DAILY = { rule: 'FREQ=DAILY', mode: 'schedule' };
const AFTER_A_WEEK = { rule: 'FREQ=DAILY', mode: 'completion', days: 7 };

/** Runs the cron job as if it were the given day and time in UTC, until it has no more work. */
async function runJobAt(day: string, time = '12:00') {
  const scope = openScope(toInstant(day, time, 'UTC'));
  while (await repeatTasks.run(scope, 0, new Budget(900)));
}

async function createRecurring(rule: object = DAILY, fields: Record<string, unknown> = {}) {
  const world = await createWorld();
  const { member } = world.people;
  const task = await createTask(member, world.projects.joined.id, { deadline: today, ...fields });
  const call = api(member.token);
  const set = await call.put(`/tasks/${task.id}/recurrence`, { ...rule });
  expect(set.status).toBe(200);
  return { world, member, call, task, project: world.projects.joined.id, id: task.id as number };
}

const getRecurrence = async (person: Person, id: number) =>
  (await api(person.token).get(`/tasks/${id}/recurrence`)).body;

async function listDeadlines(person: Person, first: number): Promise<string[]> {
  const found: string[] = [];
  for (let id: number | null = first; id !== null; id = (await getRecurrence(person, id)).nextId) {
    found.push((await api(person.token).get(`/tasks/${id}?fields=deadline`)).body.deadline);
  }
  return found;
}

const countTasks = async ({ no }: World) =>
  (await getCell(0).prepare('SELECT count(*) AS n FROM tasks WHERE ws = ?').bind(no).first<{ n: number }>())
    ?.n;

describe('PUT, GET and DELETE /tasks/{id}/recurrence', () => {
  it('set, return and delete the rule, and record every change in the history and in events', async () => {
    const { world, call, id } = await createRecurring({
      rule: 'rrule:freq=weekly;byday=mo',
      mode: 'schedule',
    });
    const path = `/tasks/${id}/recurrence`;
    const first = {
      rule: 'FREQ=WEEKLY;BYDAY=MO',
      mode: 'schedule',
      days: null,
      previousId: null,
      nextId: null,
    };
    expect((await call.get(path)).body).toEqual(first);
    const before = (await call.get(`/tasks/${id}`)).headers.get('ETag');
    const second = await call.put(path, AFTER_A_WEEK);
    expect(second.body).toEqual({ ...first, ...AFTER_A_WEEK });
    expect((await call.put(path, AFTER_A_WEEK)).body).toEqual(second.body);
    expect((await call.get(`/tasks/${id}`)).headers.get('ETag')).not.toBe(before);
    expect((await call.delete(path)).body).toEqual({ success: true });
    expect((await call.get(path)).status).toBe(404);
    expect((await call.delete(path)).status).toBe(404);
    const { data } = (await call.get(`/tasks/${id}/activities`)).body;
    expect(data.map(({ type, from, to }: Record<string, unknown>) => [type, from, to])).toEqual([
      ['recurrence_changed', 'FREQ=DAILY', null],
      ['recurrence_changed', 'FREQ=WEEKLY;BYDAY=MO', 'FREQ=DAILY'],
      ['recurrence_changed', null, 'FREQ=WEEKLY;BYDAY=MO'],
      ['created', null, null],
    ]);
    const events = await api(world.people.owner.token).get('/events?after=0&types=task.updated');
    expect(events.body.data.map((event: { changes: object }) => event.changes)).toEqual([
      { recurrence: { from: null, to: { rule: first.rule, mode: 'schedule', days: null } } },
      { recurrence: { from: { rule: first.rule, mode: 'schedule', days: null }, to: AFTER_A_WEEK } },
      { recurrence: { from: AFTER_A_WEEK, to: null } },
    ]);
  });

  it('reject invalid requests, and write nothing', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id, { deadline: today });
    const far = await createTask(member, world.projects.joined.id, { deadline: '2099-01-01' });
    const archived = await createTask(member, world.projects.joined.id);
    const call = api(member.token);
    await call.post(`/tasks/${archived.id}/archive`);
    const expectRejection = async (id: number, body: object, status: number, field: string | null = null) => {
      const rejected = await call.put(`/tasks/${id}/recurrence`, { ...body });
      expect([rejected.status, rejected.headers.get('Error-Field')], JSON.stringify(body)).toEqual([
        status,
        field,
      ]);
    };
    await expectRejection(task.id, { rule: 'FREQ=YEARLY', mode: 'schedule' }, 400, 'rule');
    await expectRejection(task.id, { rule: 'FREQ=DAILY;COUNT=1', mode: 'schedule' }, 400, 'rule');
    await expectRejection(task.id, { rule: 'FREQ=DAILY;UNTIL=20200101', mode: 'completion' }, 400, 'rule');
    await expectRejection(task.id, { ...DAILY, days: 7 }, 400, 'days');
    await expectRejection(task.id, { ...AFTER_A_WEEK, days: 0 }, 400, 'days');
    await expectRejection(task.id, { ...AFTER_A_WEEK, days: 366 }, 400, 'days');
    await expectRejection(task.id, { rule: 'FREQ=DAILY' }, 400, 'mode');
    await expectRejection(task.id, { mode: 'schedule' }, 400, 'rule');
    await expectRejection(far.id, DAILY, 400);
    await expectRejection(archived.id, DAILY, 400);
    await expectRejection(999_999, DAILY, 404);
    expect((await call.get(`/tasks/${task.id}/recurrence`)).status).toBe(404);
    expect((await call.get(`/tasks/${task.id}/activities`)).body.meta.total).toBe(1);
  });

  it('require a plan with recurring tasks', async () => {
    const world = await createWorld({ plan: 'free' });
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id);
    const rejected = await api(member.token).put(`/tasks/${task.id}/recurrence`, DAILY);
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'forbidden_plan']);
    expect((await api(member.token).put('/tasks/999999/recurrence', DAILY)).status).toBe(404);
  });
});

describe('a task that repeats on a schedule', () => {
  it('is repeated exactly once on its due date, however often the cron job runs', async () => {
    const tomorrow = addDays(today, 1);
    const { world, member, id } = await createRecurring(
      { rule: 'FREQ=WEEKLY', mode: 'schedule' },
      { deadline: tomorrow },
    );
    await runJobAt(today, '23:59');
    expect(await listDeadlines(member, id)).toEqual([tomorrow]);
    await Promise.all([
      runJobAt(tomorrow, '00:00'),
      runJobAt(tomorrow, '00:00'),
      runJobAt(tomorrow, '00:00'),
    ]);
    await runJobAt(tomorrow, '00:01');
    expect(await listDeadlines(member, id)).toEqual([tomorrow, addDays(tomorrow, 7)]);
    expect(await countTasks(world)).toBe(2);
    const moved = await getRecurrence(member, id);
    expect(moved).toMatchObject({ rule: null, mode: 'schedule', previousId: null });
    expect(await getRecurrence(member, moved.nextId)).toEqual({
      rule: 'FREQ=WEEKLY',
      mode: 'schedule',
      days: null,
      previousId: id,
      nextId: null,
    });
    const rejected = await api(member.token).put(`/tasks/${id}/recurrence`, DAILY);
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining(`/tasks/${moved.nextId}/recurrence`),
    ]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is repeated for every day missed in an outage, but for no day before the rule was set', async () => {
    const { world, member, id } = await createRecurring(DAILY, { deadline: addDays(today, -400) });
    await runJobAt(addDays(today, 5));
    const days = Array.from({ length: 7 }, (_, index) => addDays(today, index));
    expect(await listDeadlines(member, id)).toEqual([addDays(today, -400), ...days]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it("is repeated at midnight in the workspace's time zone", async () => {
    const { world, member, id } = await createRecurring(DAILY, { deadline: addDays(today, 1) });
    await runForm(world.people.owner.token, updateWorkspace, { timezone: 'America/Los_Angeles' });
    await runJobAt(addDays(today, 1), '07:00');
    expect(await listDeadlines(member, id)).toHaveLength(1);
    await runJobAt(addDays(today, 1), '08:00');
    expect(await listDeadlines(member, id)).toHaveLength(2);
  });

  it('stops repeating after COUNT tasks, or if it is archived before it is completed', async () => {
    const counted = await createRecurring({ rule: 'FREQ=DAILY;COUNT=3', mode: 'schedule' });
    await runJobAt(addDays(today, 9));
    expect(await listDeadlines(counted.member, counted.id)).toEqual([
      today,
      addDays(today, 1),
      addDays(today, 2),
    ]);
    const archived = await createRecurring();
    await archived.call.post(`/tasks/${archived.id}/archive`);
    await runJobAt(addDays(today, 1));
    expect(await getRecurrence(archived.member, archived.id)).toMatchObject({ rule: null, nextId: null });
    const completed = await createRecurring();
    await completed.call.patch(`/tasks/${completed.id}`, { status: 'completed' });
    await completed.call.post(`/tasks/${completed.id}/archive`);
    await runJobAt(today);
    expect(await listDeadlines(completed.member, completed.id)).toEqual([today, addDays(today, 1)]);
  });

  it('is followed by a task with the same people, text and subtasks, but later dates and an unchecked checklist', async () => {
    const { world, call, id, project } = await createRecurring(
      { rule: 'FREQ=WEEKLY', mode: 'schedule' },
      {
        name: 'Weekly report',
        description: '<p>Numbers first</p>',
        priority: 'high',
        status: 'in_progress',
        tags: ['report'],
        customEstimatedHours: '2.5',
        startDate: addDays(today, -2),
      },
    );
    const { lead, member } = world.people;
    await call.patch(`/tasks/${id}`, { assigneeId: lead.userId });
    await call.post(`/tasks/${id}/checklist/items`, { text: 'Collect "isDone":true', isDone: true });
    const child = await createTask(member, project, {
      name: 'Draft',
      parentId: id,
      deadline: addDays(today, -1),
      status: 'completed',
    });
    await createTask(member, project, { name: 'Figures', parentId: child.id });
    const gone = await createTask(member, project, { name: 'Archived', parentId: id });
    await call.post(`/tasks/${gone.id}/archive`);
    await runJobAt(today);
    const { nextId } = (await call.get(`/tasks/${id}/recurrence`)).body;
    const next = (await call.get(`/tasks/${nextId}?expand=structure`)).body;
    expect(next).toMatchObject({
      name: 'Weekly report',
      description: '<p>Numbers first</p>',
      status: 'todo',
      priority: 'high',
      tags: ['report'],
      customEstimatedHours: '2.5',
      assignee: { id: lead.userId },
      startDate: addDays(today, 5),
      deadline: addDays(today, 7),
      createdBy: { id: member.userId },
      parent: null,
      subtasks: { total: 1, completed: 0 },
      checklist: { total: 1, done: 0 },
    });
    expect(next.followers.map((each: { id: string }) => each.id)).toEqual(
      expect.arrayContaining([lead.userId, member.userId]),
    );
    expect((await call.get(`/tasks/${nextId}/checklist`)).body.items).toEqual([
      { id: 1, text: 'Collect "isDone":true', isDone: false },
    ]);
    const [copied] = (await call.get(`/tasks/${nextId}/subtasks`)).body.data;
    expect(copied).toMatchObject({ name: 'Draft', status: 'todo', deadline: addDays(today, 6) });
    expect((await call.get(`/tasks/${copied.id}/subtasks`)).body.data).toMatchObject([{ name: 'Figures' }]);
    const history = (await call.get(`/tasks/${nextId}/activities`)).body.data;
    expect(history).toMatchObject([{ type: 'created', via: 'system' }]);
    const inbox = (await api(lead.token).get('/notifications?limit=1')).body.data;
    expect(inbox).toMatchObject([{ type: 'task_assigned', task: { id: nextId } }]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is followed by a task with the same custom fields, but without relations', async () => {
    const { world, call, id, project } = await createRecurring({ rule: 'FREQ=WEEKLY', mode: 'schedule' });
    const field = await createField(world, 'text', 'Client');
    await addFieldsToProject(world, project, [field]);
    const other = await createTask(world.people.member, project);
    await call.post(`/tasks/${id}/relations`, { type: 'blocked_by', taskId: other.id });
    await call.patch(`/tasks/${id}`, { customFields: { [`cf_${field}`]: 'Contoso' } });
    await runJobAt(today);
    const { nextId } = (await call.get(`/tasks/${id}/recurrence`)).body;
    expect((await call.get(`/tasks/${nextId}?expand=customFields`)).body.customFields).toEqual({
      [`cf_${field}`]: 'Contoso',
    });
    expect((await call.get(`/tasks/${nextId}/relations`)).body.data).toEqual([]);
  });

  it('is followed by a task with the same parent, or with no parent if the parent is archived', async () => {
    const { world, call, id, project, member } = await createRecurring();
    const parent = await createTask(world.people.lead, project);
    await call.patch(`/tasks/${id}`, { parentId: parent.id });
    await createTask(member, project, { name: 'Part', parentId: id });
    await runJobAt(today);
    const { nextId } = await getRecurrence(member, id);
    const expanded = `/tasks/${nextId}?expand=structure`;
    expect((await call.get(expanded)).body).toMatchObject({
      parent: { id: parent.id },
      subtasks: { total: 1, completed: 0 },
    });
    const listed = (await call.get(`/tasks/${parent.id}/subtasks`)).body.data;
    expect(listed.map((each: { id: number }) => each.id)).toEqual([id, nextId]);
    await getCell(0).prepare('UPDATE tasks SET archived = 1 WHERE id = ?').bind(parent.id).run();
    await runJobAt(addDays(today, 1));
    await getCell(0).prepare('UPDATE tasks SET archived = 0 WHERE id = ?').bind(parent.id).run();
    const last = (await getRecurrence(member, nextId)).nextId;
    expect((await call.get(`/tasks/${last}?expand=structure`)).body.parent).toBeNull();
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is followed by a task with no parent if the parent already has the maximum number of subtasks', async () => {
    const { world, call, id, project, member } = await createRecurring(AFTER_A_WEEK);
    const parent = await createTask(member, project);
    await call.patch(`/tasks/${id}`, { parentId: parent.id });
    for (let left = SUBTASKS_MAX - 1; left > 0; left -= 100) {
      const tasks = Array.from({ length: Math.min(left, 100) }, (_, index) => ({
        projectId: project,
        name: `Part ${index}`,
        parentId: parent.id,
      }));
      expect((await call.post('/tasks/bulk', { tasks })).body.meta.failed).toBe(0);
    }
    expect((await call.patch(`/tasks/${id}`, { status: 'completed' })).status).toBe(200);
    const { nextId } = await getRecurrence(member, id);
    expect((await call.get(`/tasks/${nextId}?expand=structure`)).body.parent).toBeNull();
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('keeps repeating after its author and its assignee have left', async () => {
    const { world, id } = await createRecurring();
    const { member, owner } = world.people;
    await api(member.token).patch(`/tasks/${id}`, { assigneeId: member.userId });
    await getCell(0).prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(member.member).run();
    await runJobAt(today);
    const { nextId } = await getRecurrence(owner, id);
    expect((await api(owner.token).get(`/tasks/${nextId}`)).body).toMatchObject({
      assignee: null,
      createdBy: { id: owner.userId },
    });
  });
});

describe('a task that repeats after its completion', () => {
  it('is repeated once, in the request that completes it', async () => {
    const { world, call, member, id } = await createRecurring(AFTER_A_WEEK);
    await runJobAt(addDays(today, 30));
    expect(await countTasks(world)).toBe(1);
    await call.patch(`/tasks/${id}`, { status: 'completed', name: 'Renamed', assigneeId: member.userId });
    const { nextId, rule } = await getRecurrence(member, id);
    expect(rule).toBeNull();
    expect((await call.get(`/tasks/${nextId}`)).body).toMatchObject({
      name: 'Renamed',
      status: 'todo',
      deadline: addDays(today, 7),
      assignee: { id: member.userId },
    });
    await call.patch(`/tasks/${id}`, { status: 'todo' });
    await call.patch(`/tasks/${id}`, { status: 'completed' });
    await runJobAt(addDays(today, 30));
    expect(await countTasks(world)).toBe(2);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is repeated however it is completed, alone or together with other tasks', async () => {
    const { world, call, id, member, project } = await createRecurring(AFTER_A_WEEK);
    const other = await createTask(member, project, { deadline: today });
    await call.put(`/tasks/${other.id}/recurrence`, { rule: 'FREQ=WEEKLY;BYDAY=FR', mode: 'completion' });
    await createTask(member, project, { name: 'Part', parentId: other.id });
    const bulk = await call.patch('/tasks/bulk', { ids: [id, other.id], set: { status: 'completed' } });
    expect(bulk.body.meta).toEqual({ succeeded: 2, failed: 0 });
    expect(await countTasks(world)).toBe(6);
    const { nextId } = await getRecurrence(member, other.id);
    expect((await call.get(`/tasks/${nextId}/subtasks`)).body.data).toMatchObject([{ name: 'Part' }]);
    const { nextId: moved } = await getRecurrence(member, id);
    await runForm(member.token, moveCard, { id: moved, status: 'completed' });
    expect((await getRecurrence(member, moved)).nextId).not.toBeNull();
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is completed and repeated only once, despite concurrent requests and cron jobs', async () => {
    const { world, member, id } = await createRecurring(AFTER_A_WEEK);
    const runAsMember = (operation: AnyOperation, input: object) =>
      runForm(member.token, operation, { id, ...input }, {}, 5);
    await Promise.all([
      runAsMember(updateTask, { status: 'completed' }),
      runAsMember(updateTask, { status: 'completed' }),
      runAsMember(setRecurrence, DAILY),
      runJobAt(today),
    ]);
    await runJobAt(today);
    const series = await getCell(0)
      .prepare('SELECT count(*) AS n, count(rule) AS rules FROM recurrences WHERE ws = ?')
      .bind(world.no)
      .first();
    expect(series).toEqual({ n: await countTasks(world), rules: 1 });
    expect(await findCounterDrift(world)).toEqual([]);
  });
});
