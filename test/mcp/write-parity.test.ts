import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../src/registry.ts';
import { api } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import { type RestValue, toMeeting, toTaskRow } from './expected-results.ts';

let world: World;
let token: string;
let taskId: number;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
  taskId = (await createTask(world.people.lead, world.projects.joined.id)).id;
});

/** Reads the task, its history and everyone's notifications about it, without ids and times. */
async function readTraces(id: number) {
  const { body: history } = await api(token).get(`/tasks/${id}/activities?limit=100`);
  const { body: task } = await api(token).get(`/tasks/${id}`);
  const notifications = await Promise.all(
    Object.values(world.people).map(async (person) => {
      const { body } = await api(person.token).get('/notifications?limit=100');
      const about = body.data.filter((each: RestValue) => each.task?.id === id);
      return [
        person.role,
        about.map((each: RestValue) => [each.type, each.actor?.id, each.comment?.content]),
      ];
    }),
  );
  return {
    activities: history.data.map((each: RestValue) => [
      each.type,
      each.field,
      each.from,
      each.to,
      each.actor.id,
    ]),
    via: history.data.map((each: RestValue) => each.via),
    notifications,
    task: {
      ...task,
      id: 0,
      createdAt: '',
      updatedAt: '',
      comments: task.comments.map((each: RestValue) => [each.content, each.author.id]),
    },
  };
}

async function expectSameTraces(byRest: number, byTool: number, changes: number) {
  const [rest, tool] = [await readTraces(byRest), await readTraces(byTool)];
  expect(tool.activities).toEqual(rest.activities);
  expect(tool.notifications).toEqual(rest.notifications);
  expect(tool.task).toEqual(rest.task);
  expect(rest.via.slice(0, changes)).toEqual(Array.from({ length: changes }, () => 'oauth'));
  expect(tool.via.slice(0, changes)).toEqual(Array.from({ length: changes }, () => 'mcp'));
}

describe('a tool that writes', () => {
  it('has the same effects as the REST route, apart from the origin of its events (create_task)', async () => {
    const { member } = world.people;
    const fields = {
      name: 'Made twice',
      priority: 'low',
      deadline: '2027-01-04',
      customEstimatedHours: '2.5',
    };
    const rest = await api(token).post('/tasks', {
      ...fields,
      projectId: world.projects.joined.id,
      assigneeId: member.userId,
    });
    const { results } = await callTool(token, 'create_task', {
      tasks: [{ ...fields, project: 'joined', assignee: member.email }],
    });
    expect({ ...results[0].task, id: 0 }).toEqual({ ...toTaskRow(rest.body), id: 0 });
    await expectSameTraces(rest.body.id, results[0].task.id, 1);
  });

  it('has the same effects as the REST route, apart from the origin of its events (update_task, set_task_archived, add_comment)', async () => {
    const { lead, member, owner } = world.people;
    const draft = { name: 'Changed twice', assigneeId: member.userId, description: '<p>Old</p>' };
    const byRest = (await createTask(lead, world.projects.joined.id, draft)).id;
    const byTool = (await createTask(lead, world.projects.joined.id, draft)).id;
    const changes = { status: 'client_review', description: null, deadline: '2027-02-01' };
    const rest = await api(token).patch(`/tasks/${byRest}`, { ...changes, assigneeId: owner.userId });
    const { results } = await callTool(token, 'update_task', {
      updates: [{ id: byTool, ...changes, assignee: owner.name }],
    });
    expect({ ...results[0].task, id: 0 }).toEqual({ ...toTaskRow(rest.body), id: 0 });
    await api(token).patch(`/tasks/${byRest}`, { assigneeId: null });
    await callTool(token, 'update_task', { updates: [{ id: byTool, assignee: null }] });
    await api(token).post(`/tasks/${byRest}/comments`, { content: 'Seen' });
    await callTool(token, 'add_comment', { taskId: byTool, content: 'Seen' });
    await expectSameTraces(byRest, byTool, 4);
    await api(token).post(`/tasks/${byRest}/archive`);
    const archived = await callTool(token, 'set_task_archived', { ids: [byTool], isArchived: true });
    expect(archived).toEqual({ done: [byTool], refused: [] });
    await api(token).post(`/tasks/${byRest}/unarchive`);
    await callTool(token, 'set_task_archived', { ids: [byTool], isArchived: false });
    await expectSameTraces(byRest, byTool, 6);
  });

  it('has the same effects as the REST route, apart from the origin of its events (create_meeting, update_meeting, cancel_meeting)', async () => {
    const { lead, member } = world.people;
    const draft = {
      name: 'Twice',
      date: '2027-05-03',
      time: '09:30',
      location: 'Room 4',
      duration: { hours: 2 },
    };
    const rest = await api(token).post('/meetings', {
      ...draft,
      projectId: world.projects.joined.id,
      participantIds: [lead.userId, member.userId],
    });
    const tool = await callTool(token, 'create_meeting', {
      ...draft,
      project: world.projects.joined.id,
      participants: ['me', member.name],
    });
    const omitIds = (meeting: RestValue) => ({
      ...meeting,
      id: 0,
      participants: meeting.participants.map((each: RestValue) => ({ ...each, taskId: 0 })),
    });
    expect(omitIds(tool.meeting)).toEqual(omitIds(toMeeting(rest.body)));
    const findTaskId = (meeting: RestValue) =>
      meeting.participants.find((each: RestValue) => each.name === member.name).taskId;
    await expectSameTraces(findTaskId(rest.body), findTaskId(tool.meeting), 1);
    const moved = await api(token).patch(`/meetings/${rest.body.id}`, { date: '2027-05-04', location: null });
    const movedByTool = await callTool(token, 'update_meeting', {
      id: tool.meeting.id,
      date: '2027-05-04',
      location: null,
    });
    expect(omitIds(movedByTool.meeting)).toEqual(omitIds(toMeeting(moved.body)));
    await expectSameTraces(findTaskId(rest.body), findTaskId(tool.meeting), 1);
    await api(token).delete(`/meetings/${rest.body.id}`);
    expect(await callTool(token, 'cancel_meeting', { id: tool.meeting.id })).toEqual({ success: true });
    await expectSameTraces(findTaskId(rest.body), findTaskId(tool.meeting), 1);
    expect((await api(token).get(`/meetings/${tool.meeting.id}`)).status).toBe(404);
  });

  it('starts and stops the timer that REST also returns (set_timer)', async () => {
    const { entry } = await callTool(token, 'set_timer', { taskId });
    expect((await api(token).get('/timer/current')).body).toMatchObject({
      id: entry.id,
      taskId,
      endTime: null,
    });
    const stopped = await callTool(token, 'set_timer', { taskId: null });
    const { body } = await api(token).get('/timer/entries?limit=1');
    expect(stopped.entry).toEqual(body.data[0]);
    const none = await getToolResult(token, 'set_timer', { taskId: null });
    expect(none.isError).toBe(true);
    expect(getResultText(none)).toContain('set_timer');
  });

  it('changes the notifications that REST returns (mark_notifications_read)', async () => {
    const { member } = world.people;
    const theirs = await createOAuthToken(world, member);
    const countUnread = async () => (await api(theirs).get('/notifications?unreadOnly=true')).body;
    const { data, meta } = await countUnread();
    const { notification } = await callTool(theirs, 'mark_notifications_read', { id: data[0].id });
    expect(notification).toMatchObject({ id: data[0].id, isRead: true });
    expect((await countUnread()).meta.total).toBe(meta.total - 1);
    expect(await callTool(theirs, 'mark_notifications_read', { all: true })).toEqual({
      updated: meta.total - 1,
    });
    expect((await countUnread()).meta.total).toBe(0);
  });

  it("is in this test's list, so that no new tool is forgotten", () => {
    expect(tools.filter(({ hints }) => !hints.readOnlyHint).map(({ name }) => name)).toEqual([
      'create_task',
      'update_task',
      'set_task_archived',
      'add_comment',
      'create_meeting',
      'update_meeting',
      'cancel_meeting',
      'set_timer',
      'mark_notifications_read',
      // REST has no change sets. test/change-sets covers these tools.
      'begin_changes',
      'propose_changes',
      'discard_changes',
    ]);
  });
});
