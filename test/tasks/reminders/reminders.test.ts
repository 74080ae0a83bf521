import { describe, expect, it } from 'vitest';
import { Budget } from '../../../src/kernel/sql/budget.ts';
import { deliverReminders } from '../../../src/tasks/operations/deliver-reminders.ts';
import { repeatTasks } from '../../../src/tasks/operations/repeat-tasks.ts';
import { updateWorkspace } from '../../../src/workspaces/settings/change-workspace.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** The deadline of all tasks in this file, far enough away for a reminder several days before. */
const DUE_DATE = toDate(Date.now() + 10 * DAY_MS);
const DUE_AT_MS = Date.parse(`${DUE_DATE}T17:00:00Z`);

async function createTaskWithReminder(items: object[] = [{ minutesBefore: 30 }], fields: object = {}) {
  const world = await createWorld();
  const { member } = world.people;
  const task = await createTask(member, world.projects.joined.id, {
    name: 'Send the report',
    deadline: DUE_DATE,
    dueTime: '17:00',
    ...fields,
  });
  const call = api(member.token);
  const path = `/tasks/${task.id}/reminders`;
  const set = await call.put(path, { items });
  expect(set.status).toBe(200);
  return { world, member, call, id: task.id as number, path };
}

const deliverAt = (ms: number) => deliverReminders.run(openScope(ms), 0, new Budget(900));

async function countReminders(person: Person): Promise<number> {
  const { body } = await api(person.token).get('/notifications?kinds=reminder');
  return body.meta.total;
}

const setTimeZone = (world: World, timezone: string) =>
  runForm(world.people.owner.token, updateWorkspace, { timezone });

describe('GET and PUT /tasks/{id}/reminders', () => {
  it("read and replace only the caller's reminders, and add no history entry", async () => {
    const at = `${DUE_DATE}T08:00:00.000Z`;
    const { world, call, id, path } = await createTaskWithReminder([{ minutesBefore: 30 }, { at }]);
    expect((await call.get(path)).body).toEqual({ items: [{ minutesBefore: 30 }, { at }] });
    const { lead } = world.people;
    expect((await api(lead.token).get(path)).body).toEqual({ items: [] });
    await api(lead.token).put(path, { items: [{ minutesBefore: 0 }] });
    expect((await call.put(path, { items: [{ at: `${DUE_DATE}T10:00:00+02:00` }] })).body).toEqual({
      items: [{ at }],
    });
    expect((await call.put(path, { items: [] })).body).toEqual({ items: [] });
    expect((await api(lead.token).get(path)).body).toEqual({ items: [{ minutesBefore: 0 }] });
    expect((await call.get(`/tasks/${id}/activities`)).body.meta.total).toBe(1);
    expect((await call.get(`/tasks/${id}`)).headers.get('ETag')).toMatch(/^"1-/);
  });

  it('reject invalid requests, and change nothing', async () => {
    const { call, id, path } = await createTaskWithReminder();
    const at = `${DUE_DATE}T08:00:00.000Z`;
    const rejected: [object, string][] = [
      [{ items: Array.from({ length: 6 }, (_, minutesBefore) => ({ minutesBefore })) }, 'items'],
      [{ items: [{ minutesBefore: -1 }] }, 'items[0].minutesBefore'],
      [{ items: [{ minutesBefore: 86_401 }] }, 'items[0].minutesBefore'],
      [{ items: [{}] }, 'items[0]'],
      [{ items: [{ minutesBefore: 1, at }] }, 'items[0]'],
      [{ items: [{ at: 'soon' }] }, 'items[0].at'],
      [{ items: [{ minutesBefore: 5 }, { minutesBefore: 5 }] }, 'items'],
      [{}, 'items'],
    ];
    for (const [body, field] of rejected) {
      const answer = await call.put(path, { ...body });
      expect([answer.status, answer.headers.get('Error-Field')], JSON.stringify(body)).toEqual([400, field]);
    }
    expect((await call.get(path)).body).toEqual({ items: [{ minutesBefore: 30 }] });
    await call.post(`/tasks/${id}/archive`);
    expect((await call.put(path, { items: [] })).status).toBe(400);
    expect((await call.get(path)).body).toEqual({ items: [] });
    expect((await call.get('/tasks/999999/reminders')).status).toBe(404);
  });
});

describe('a reminder', () => {
  it('is delivered exactly once when it is due, even if the cron job runs repeatedly or late', async () => {
    const { member, call, id } = await createTaskWithReminder();
    await deliverAt(DUE_AT_MS - 31 * MINUTE_MS);
    expect(await countReminders(member)).toBe(0);
    const late = DUE_AT_MS + 3 * 60 * MINUTE_MS;
    await Promise.all([deliverAt(late), deliverAt(late), deliverAt(late)]);
    await deliverAt(late + MINUTE_MS);
    expect(await countReminders(member)).toBe(1);
    const listed = (await call.get('/notifications?kinds=reminder')).body.data;
    expect(listed).toMatchObject([{ type: 'reminder', task: { id }, actor: null }]);
    expect((await call.get('/notifications')).body.data).toEqual([]);
    expect((await call.get('/notifications/count')).body).toEqual({ count: 0 });
    expect((await call.get('/notifications/count?kinds=reminder')).body).toEqual({ count: 1 });
  });

  it('is relative to 09:00 if the task has no due time, and needs no deadline if it has a fixed time', async () => {
    const { member } = await createTaskWithReminder([{ minutesBefore: 60 }], { dueTime: null });
    await deliverAt(Date.parse(`${DUE_DATE}T07:59:00Z`));
    expect(await countReminders(member)).toBe(0);
    await deliverAt(Date.parse(`${DUE_DATE}T08:00:00Z`));
    expect(await countReminders(member)).toBe(1);
    const fixed = await createTaskWithReminder([{ minutesBefore: 0 }, { at: `${DUE_DATE}T08:00:00.000Z` }], {
      deadline: null,
      dueTime: null,
    });
    await deliverAt(Date.parse(`${DUE_DATE}T08:00:00Z`));
    expect(await countReminders(fixed.member)).toBe(1);
  });

  it("moves with the deadline, and isn't delivered if its new time has already passed", async () => {
    const { member, call, id } = await createTaskWithReminder([{ minutesBefore: 60 }]);
    await call.patch(`/tasks/${id}`, { deadline: toDate(DUE_AT_MS + DAY_MS) });
    await deliverAt(DUE_AT_MS);
    expect(await countReminders(member)).toBe(0);
    await call.patch(`/tasks/${id}`, { dueTime: '12:00' });
    await deliverAt(DUE_AT_MS + DAY_MS - 6 * 60 * MINUTE_MS);
    expect(await countReminders(member)).toBe(1);
    await call.patch('/tasks/bulk', { ids: [id], set: { deadline: toDate(Date.now()), dueTime: '00:00' } });
    await deliverAt(DUE_AT_MS + 9 * DAY_MS);
    expect(await countReminders(member)).toBe(1);
    await call.patch(`/tasks/${id}`, { deadline: DUE_DATE, dueTime: '17:00' });
    await call.patch(`/tasks/${id}`, { deadline: null });
    await deliverAt(DUE_AT_MS + 9 * DAY_MS);
    expect(await countReminders(member)).toBe(1);
  });

  it("isn't delivered if the task is archived or completed, and never to people who can no longer see it", async () => {
    const { world, member, call, id, path } = await createTaskWithReminder();
    await call.post(`/tasks/${id}/archive`);
    await deliverAt(DUE_AT_MS);
    await call.post(`/tasks/${id}/unarchive`);
    expect((await call.get(path)).body).toEqual({ items: [{ minutesBefore: 30 }] });
    await call.patch(`/tasks/${id}`, { status: 'completed' });
    await deliverAt(DUE_AT_MS);
    expect(await countReminders(member)).toBe(0);
    await call.patch(`/tasks/${id}`, { status: 'todo' });
    const { client } = world.people;
    await call.patch(`/tasks/${id}`, { assigneeId: client.userId });
    await api(client.token).put(path, { items: [{ minutesBefore: 10 }] });
    await call.patch(`/tasks/${id}`, { assigneeId: null });
    await getCell(0).prepare('DELETE FROM followers WHERE member = ?').bind(client.member).run();
    await getCell(0).prepare('DELETE FROM project_members WHERE member = ?').bind(client.member).run();
    await deliverAt(DUE_AT_MS);
    expect(await countReminders(client)).toBe(0);
    expect(await countReminders(member)).toBe(1);
    const left = await getCell(0)
      .prepare('SELECT count(*) AS n FROM reminders WHERE member = ?')
      .bind(client.member)
      .first();
    expect(left).toEqual({ n: 0 });
  });

  it("is delivered at the due time in the workspace's time zone", async () => {
    const { world, member } = await createTaskWithReminder([{ minutesBefore: 0 }]);
    await setTimeZone(world, 'America/Los_Angeles');
    await deliverAt(DUE_AT_MS);
    expect(await countReminders(member)).toBe(0);
    await deliverAt(Date.parse(`${DUE_DATE}T23:00:00Z`));
    expect(await countReminders(member)).toBe(0);
    await setTimeZone(world, 'Asia/Tokyo');
    await deliverAt(Date.parse(`${DUE_DATE}T08:00:00Z`));
    expect(await countReminders(member)).toBe(1);
  });

  it('is copied to the next task of a series if it is relative to the deadline', async () => {
    const { call, id, path, member } = await createTaskWithReminder([
      { minutesBefore: 30 },
      { at: `${DUE_DATE}T08:00:00.000Z` },
    ]);
    await call.put(`/tasks/${id}/recurrence`, { rule: 'FREQ=WEEKLY', mode: 'schedule' });
    await repeatTasks.run(openScope(Date.parse(`${DUE_DATE}T01:00:00Z`)), 0, new Budget(900));
    const { nextId } = (await call.get(`/tasks/${id}/recurrence`)).body;
    expect((await call.get(`/tasks/${nextId}?fields=dueTime`)).body).toEqual({ dueTime: '17:00' });
    expect((await call.get(path.replace(String(id), String(nextId)))).body).toEqual({
      items: [{ minutesBefore: 30 }],
    });
    await deliverAt(DUE_AT_MS + 7 * DAY_MS - 30 * MINUTE_MS);
    const { data } = (await api(member.token).get('/notifications?kinds=reminder')).body;
    expect(data.map(({ task }: { task: { id: number } }) => task.id).sort()).toEqual([id, nextId].sort());
  });

  it('is delivered once after its task is restored, if it was due while the task was in the trash', async () => {
    const { world, call, id, path, member } = await createTaskWithReminder([{ minutesBefore: 30 }]);
    const { owner } = world.people;
    await api(owner.token).delete(`/tasks/${id}`);
    await setTimeZone(world, 'Asia/Tokyo');
    await setTimeZone(world, 'UTC');
    await deliverAt(DUE_AT_MS);
    await deliverAt(DUE_AT_MS + DAY_MS);
    await setTimeZone(world, 'Asia/Tokyo');
    await deliverAt(DUE_AT_MS + DAY_MS);
    expect(await countReminders(member)).toBe(0);
    expect((await api(owner.token).post(`/tasks/${id}/restore`)).status).toBe(200);
    expect((await call.get(path)).body).toEqual({ items: [{ minutesBefore: 30 }] });
    await deliverAt(DUE_AT_MS + DAY_MS);
    await deliverAt(DUE_AT_MS + DAY_MS);
    expect(await countReminders(member)).toBe(1);
  });

  it('is copied together with its subtask when the parent task repeats', async () => {
    const { world, call, id, member } = await createTaskWithReminder();
    const child = await createTask(member, world.projects.joined.id, { parentId: id, deadline: DUE_DATE });
    await call.put(`/tasks/${child.id}/reminders`, { items: [{ minutesBefore: 5 }] });
    await call.put(`/tasks/${id}/recurrence`, { rule: 'FREQ=WEEKLY', mode: 'schedule' });
    await repeatTasks.run(openScope(Date.parse(`${DUE_DATE}T01:00:00Z`)), 0, new Budget(900));
    const { nextId } = (await call.get(`/tasks/${id}/recurrence`)).body;
    const [copied] = (await call.get(`/tasks/${nextId}/subtasks`)).body.data;
    expect((await call.get(`/tasks/${copied.id}/reminders`)).body).toEqual({ items: [{ minutesBefore: 5 }] });
  });

  it('is combined into one notification with the other due reminders about the same task', async () => {
    const { world, member } = await createTaskWithReminder();
    for (let made = 0; made < 20; made += 1) {
      const task = await createTask(member, world.projects.joined.id, { deadline: DUE_DATE });
      await api(member.token).put(`/tasks/${task.id}/reminders`, {
        items: [0, 5, 10, 15, 20].map((minutesBefore) => ({ minutesBefore })),
      });
    }
    await deliverAt(DUE_AT_MS);
    expect(await countReminders(member)).toBe(21);
  });
});
