import { beforeAll, describe, expect, it } from 'vitest';
import { getAppSession } from '../../src/app-activity/app-sessions.ts';
import { undoAppSession } from '../../src/app-activity/undo-session.ts';
import { updateComment } from '../../src/tasks/comments/comments.ts';
import { callTool } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { connectApp, type OwnApp } from './connect-app.ts';

let world: World;
let member: Person;
let lead: Person;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  ({ member, lead } = world.people);
  project = world.projects.joined.id;
});

async function listSteps({ app }: OwnApp, person = member) {
  const { body } = await runForm(person.token, getAppSession, { app });
  return body.steps.map(({ label, outcome, reason }: Record<string, unknown>) =>
    reason === null ? [label, outcome] : [label, outcome, reason],
  );
}

/** Repeats the undo until nothing is left to undo, as if a person pressed the button again and again. */
async function undoApp({ app }: OwnApp, person = member) {
  const total = { undone: 0, kept: 0, impossible: 0 };
  for (let request = 0; request < 10; request += 1) {
    const { body, status } = await runForm(person.token, undoAppSession, { app });
    expect(status).toBe(200);
    total.undone += body.undone;
    Object.assign(total, { kept: body.kept, impossible: body.impossible });
    if (!body.hasMore) return total;
  }
  throw new Error('there was always more to undo');
}

const createTaskAsLead = async (name = 'Task') => (await createTask(lead, project, { name })).id;
const readBody = async (path: string, { token } = member) => (await api(token).get(path)).body;

describe("undoing an app's comment changes", () => {
  it('restores edited and deleted comments with their ids, authors and dates', async () => {
    const id = await createTaskAsLead();
    const path = `/tasks/${id}/comments`;
    for (const content of ['One', 'Two']) await api(member.token).post(path, { content });
    const before = await readBody(path);
    const [one, two] = before.data;
    const app = await connectApp(world, member);
    await api(app.token).patch(`${path}/${one.id}`, { content: 'One by the app' });
    await api(app.token).patch(`${path}/${one.id}`, { content: 'One again' });
    await api(app.token).delete(`${path}/${two.id}`);
    expect(await undoApp(app)).toEqual({ undone: 2, kept: 0, impossible: 0 });
    expect(await readBody(path)).toEqual(before);
    expect(await undoApp(app)).toMatchObject({ undone: 0 });
    expect(await listSteps(app)).toEqual([
      ['Edited a comment', 'done'],
      ['Deleted a comment', 'done'],
    ]);
  });

  it("restores someone else's comment that an admin's app has deleted", async () => {
    const { admin } = world.people;
    const id = await createTaskAsLead();
    const path = `/tasks/${id}/comments`;
    const { body } = await api(lead.token).post(path, { content: 'By the lead' });
    const app = await connectApp(world, admin);
    await api(app.token).delete(`${path}/${body.id}`);
    expect(await undoApp(app, admin)).toMatchObject({ undone: 1 });
    expect((await readBody(path)).data).toEqual([body]);
  });

  it('keeps a comment that its author has since edited', async () => {
    const id = await createTaskAsLead();
    const { body } = await api(member.token).post(`/tasks/${id}/comments`, { content: 'One' });
    const app = await connectApp(world, member);
    await api(app.token).patch(`/tasks/${id}/comments/${body.id}`, { content: 'By the app' });
    await runForm(member.token, updateComment, { id, commentId: body.id, content: 'By me' });
    expect(await undoApp(app)).toMatchObject({ undone: 0, kept: 1 });
    expect((await readBody(`/tasks/${id}/comments`)).data).toMatchObject([{ content: 'By me' }]);
  });
});

describe("undoing an app's changes to logged time", () => {
  const toTimeSpan = (day: number, from = 9) => ({
    startTime: `2026-01-0${day}T0${from}:00:00.000Z`,
    endTime: `2026-01-0${day}T0${from}:30:00.000Z`,
  });

  it('deletes new time entries, and restores changed and deleted entries', async () => {
    const id = await createTaskAsLead();
    const logTime = async (day: number) =>
      (await api(member.token).post('/timer/entries', { taskId: id, ...toTimeSpan(day) })).body.id as number;
    const [changed, deleted] = [await logTime(1), await logTime(2)];
    const before = await readBody(`/timer/entries?taskId=${id}`);
    const app = await connectApp(world, member);
    await api(app.token).patch(`/timer/entries/${changed}`, toTimeSpan(3));
    await api(app.token).delete(`/timer/entries/${deleted}`);
    for (const day of [4, 5]) await api(app.token).post('/timer/entries', { taskId: id, ...toTimeSpan(day) });
    expect(await undoApp(app)).toEqual({ undone: 4, kept: 0, impossible: 0 });
    expect(await readBody(`/timer/entries?taskId=${id}`)).toEqual(before);
    expect(await undoApp(app)).toMatchObject({ undone: 0 });
  });

  it('keeps time entries that the person has since changed, and reports that a running timer must be stopped first', async () => {
    const id = await createTaskAsLead();
    const app = await connectApp(world, member);
    const { body } = await api(app.token).post('/timer/entries', { taskId: id, ...toTimeSpan(6) });
    await api(member.token).patch(`/timer/entries/${body.id}`, toTimeSpan(7));
    await api(app.token).post('/timer/start', { taskId: id });
    expect(await listSteps(app)).toEqual([
      ['Logged time', 'kept', 'You changed it later.'],
      ['Started a timer', 'impossible', 'The timer is running. Stop it first.'],
    ]);
    expect(await undoApp(app)).toEqual({ undone: 0, kept: 1, impossible: 1 });
    await api(member.token).post('/timer/stop', {});
  });

  it('deletes time logged on a new task', async () => {
    const app = await connectApp(world, member);
    const { body } = await api(app.token).post('/tasks', { projectId: project, name: 'New' });
    await api(app.token).post('/timer/entries', { taskId: body.id, ...toTimeSpan(8) });
    expect(await undoApp(app)).toEqual({ undone: 2, kept: 0, impossible: 0 });
    expect((await readBody(`/timer/entries?taskId=${body.id}`)).data).toEqual([]);
  });
});

describe("undoing an app's meeting changes", () => {
  const scheduleMeeting = async (token: string, name: string) =>
    (
      await api(token).post('/meetings', {
        projectId: project,
        name,
        date: '2027-01-05',
        time: '09:00',
        participantIds: [member.userId],
      })
    ).body;

  it('cancels new meetings, and restores rescheduled and canceled meetings', async () => {
    const [moved, canceled] = [
      await scheduleMeeting(lead.token, 'Moved'),
      await scheduleMeeting(lead.token, 'Canceled'),
    ];
    const app = await connectApp(world, lead);
    const made = await scheduleMeeting(app.token, 'New');
    await callTool(app.token, 'update_meeting', { id: moved.id, date: '2027-02-01', time: '10:00' });
    await callTool(app.token, 'update_meeting', { id: moved.id, location: 'Room 1' });
    await callTool(app.token, 'cancel_meeting', { id: canceled.id });
    const total = await undoApp(app, lead);
    expect(total).toMatchObject({ kept: 0, impossible: 0 });
    expect(await readBody(`/meetings/${moved.id}`, lead)).toMatchObject({
      date: moved.date,
      time: moved.time,
      location: null,
    });
    expect(await readBody(`/meetings/${canceled.id}`, lead)).toMatchObject({ name: 'Canceled' });
    expect((await api(lead.token).get(`/meetings/${made.id}`)).status).toBe(404);
    expect(await undoApp(app, lead)).toMatchObject({ undone: 0 });
  });

  it("reports that it keeps a meeting that someone else has since moved, or that the person can't cancel", async () => {
    const moved = await scheduleMeeting(lead.token, 'Moved');
    const app = await connectApp(world, lead);
    await callTool(app.token, 'update_meeting', { id: moved.id, time: '10:00' });
    await api(member.token).patch(`/meetings/${moved.id}`, { time: '11:00' });
    expect(await listSteps(app, lead)).toContainEqual([
      'Changed a meeting',
      'kept',
      'Someone changed it later.',
    ]);
    const own = await connectApp(world, member);
    await scheduleMeeting(own.token, 'Not canceled');
    expect(await listSteps(own)).toContainEqual([
      'Created a meeting',
      'impossible',
      'Only leads, admins and owners can cancel meetings.',
    ]);
  });
});

it('undoing changes keeps all counters correct', async () =>
  expect(await findCounterDrift(world)).toEqual([]));
