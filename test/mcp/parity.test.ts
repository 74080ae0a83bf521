import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../src/registry.ts';
import { api } from '../support/api.ts';
import { createTask, createTeam, createWorld, type Person, type World } from '../support/world.ts';
import { call, textOf, tokenOf, use } from './client.ts';

let world: World;
let token: string;
let taskId: number;
let meetingId: number;
const tried = new Set<string>();

beforeAll(async () => {
  world = await createWorld();
  const { lead, member, owner } = world.people;
  token = await tokenOf(world, lead);
  await createTeam(world, { name: 'Web', lead, members: [member] });
  const { joined, other } = world.projects;
  const rest = api(lead.token);
  const task = await createTask(lead, joined.id, {
    name: 'Draft the launch page',
    description: '<p>Hero, three benefits.</p>',
    assigneeId: lead.userId,
    deadline: '2026-01-05',
    startDate: '2026-01-02',
    typeId: world.categories[0].typeId,
    priority: 'high',
  });
  taskId = task.id;
  await createTask(lead, other.id, { name: 'Elsewhere', status: 'completed' });
  await api(member.token).post(`/tasks/${taskId}/comments`, { content: 'Looks fine.\nTwo lines.' });
  await api(owner.token).patch(`/tasks/${taskId}`, { status: 'in_progress' });
  const meeting = await rest.post('/meetings', {
    projectId: joined.id,
    name: 'Review',
    description: '<p>Agenda</p>',
    date: '2027-03-01',
    time: '10:00',
    participantIds: [lead.userId, member.userId],
    recurrence: 'FREQ=WEEKLY;BYDAY=MO',
  });
  meetingId = meeting.body.id;
  await rest.post('/timer/start', { taskId });
  await rest.post('/timer/stop');
});

// biome-ignore lint/suspicious/noExplicitAny: what REST answers was checked against its contract.
type Rest = any;

const rowOf = (task: Rest) => ({
  id: task.id,
  name: task.name,
  status: task.status,
  priority: task.priority,
  ...(task.assignee && { assignee: task.assignee.name }),
  project: task.project.name,
  ...(task.deadline && { deadline: task.deadline }),
  ...(task.isArchived && { isArchived: true }),
});
const pageOf = (show: (item: Rest) => object) => (body: Rest) => ({
  data: body.data.map(show),
  total: body.meta.total,
  nextOffset: body.meta.hasMore ? body.meta.offset + body.data.length : null,
});
const only =
  (...names: string[]) =>
  (item: Rest) =>
    Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]));
const meetingOf = (item: Rest) => ({
  ...only('id', 'name', 'project', 'date', 'time', 'duration', 'meetingLink', 'location', 'recurrence')(item),
  participants: item.participants.map(only('name', 'taskId', 'status')),
});
const one = (show: (item: Rest) => object) => (body: Rest) => ({
  data: [show(body)],
  total: 1,
  nextOffset: null,
});
const same = (body: Rest) => body;

type Reading = [
  tool: string,
  args: () => Record<string, unknown>,
  path: (person: Person) => string,
  shown: (body: Rest) => object,
];

const readings: Reading[] = [
  ['get_me', () => ({}), () => '/me', same],
  ['find_tasks', () => ({}), () => '/tasks', pageOf(rowOf)],
  [
    'find_tasks',
    () => ({ project: 'Joined', assignee: 'me', priority: 'high', search: 'LAUNCH', limit: 1 }),
    ({ userId }) =>
      `/tasks?projectId=${world.projects.joined.id}&assigneeId=${userId}&priority=high&search=LAUNCH&limit=1`,
    pageOf(rowOf),
  ],
  [
    'find_tasks',
    () => ({ scope: 'mine', limit: 2, offset: 1 }),
    () => '/tasks?scope=mine&limit=2&offset=1',
    pageOf(rowOf),
  ],
  ['get_task', () => ({ id: taskId }), () => `/tasks/${taskId}`, (task) => ({ task })],
  [
    'list_task_history',
    () => ({ taskId, limit: 2 }),
    () => `/tasks/${taskId}/activities?limit=2`,
    pageOf((item) => ({
      ...only('id', 'type', 'from', 'to', 'via', 'commentId', 'createdAt')(item),
      actor: only('id', 'name')(item.actor),
    })),
  ],
  ['find_projects', () => ({}), () => '/projects', pageOf(same)],
  ['find_projects', () => ({ scope: 'mine' }), () => '/projects?scope=mine', pageOf(same)],
  ['find_projects', () => ({ project: 'Other' }), () => `/projects/${world.projects.other.id}`, one(same)],
  ['find_people', () => ({ limit: 2 }), () => '/users?limit=2', pageOf(only('id', 'name', 'email', 'role'))],
  [
    'find_people',
    () => ({ project: world.projects.joined.id }),
    () => `/projects/${world.projects.joined.id}/members`,
    pageOf(only('id', 'name', 'email', 'role', 'isOwner')),
  ],
  [
    'find_people',
    () => ({ person: world.people.client.email }),
    () => `/users/${world.people.client.userId}`,
    one(only('id', 'name', 'email', 'role')),
  ],
  [
    'list_reference',
    () => ({ kind: 'task_statuses' }),
    () => '/task-statuses',
    pageOf(only('id', 'value', 'label')),
  ],
  [
    'list_reference',
    () => ({ kind: 'project_statuses' }),
    () => '/project-statuses',
    pageOf(only('id', 'value', 'label')),
  ],
  ['list_reference', () => ({ kind: 'task_categories' }), () => '/task-categories', pageOf(same)],
  [
    'list_reference',
    () => ({ kind: 'task_types', categoryId: world.categories[1].id }),
    () => `/task-types?categoryId=${world.categories[1].id}`,
    pageOf(same),
  ],
  [
    'list_reference',
    () => ({ kind: 'teams' }),
    () => '/teams',
    pageOf((team) => ({ ...team, members: team.members.map(only('name', 'role')) })),
  ],
  ['find_meetings', () => ({ from: '2027-01-01' }), () => '/meetings?from=2027-01-01', pageOf(meetingOf)],
  [
    'find_meetings',
    () => ({ id: meetingId }),
    () => `/meetings/${meetingId}`,
    one((item) => ({ ...meetingOf(item), description: item.description })),
  ],
  ['get_dashboard', () => ({ view: 'stats' }), () => '/dashboard/stats', (stats) => ({ stats })],
  [
    'get_dashboard',
    () => ({ view: 'tasks', sort: 'name', assignees: ['me'] }),
    ({ userId }) => `/dashboard/tasks?sort=name&assigneeId=${userId}`,
    pageOf((item) => ({
      ...only('id', 'title', 'project', 'deadline', 'dueLabel')(item),
      status: item.status.value,
      assignee: item.assignee && only('id', 'name')(item.assignee),
    })),
  ],
  [
    'get_dashboard',
    () => ({ view: 'comments', search: 'fine' }),
    () => '/dashboard/comments?search=fine',
    pageOf((item) => ({
      ...only('id', 'content', 'task', 'project', 'createdAt')(item),
      author: only('id', 'name')(item.author),
    })),
  ],
  [
    'get_dashboard',
    () => ({ view: 'workload', from: '2026-01-05' }),
    () => '/dashboard/workload?from=2026-01-05',
    ({ workloads, ...window }) => ({
      window,
      data: workloads.map(({ user, breakdown, ...rest }: Rest) => ({
        ...rest,
        user: only('id', 'name')(user),
        breakdown: breakdown.map(only('key', 'count', 'estimatedHours')),
      })),
      total: workloads.length,
      nextOffset: null,
    }),
  ],
  ['get_time', () => ({ view: 'current' }), () => '/timer/current', (current) => ({ current })],
  ['get_time', () => ({ view: 'entries', taskId }), () => `/timer/entries?taskId=${taskId}`, pageOf(same)],
  [
    'get_time',
    () => ({ view: 'stats', period: 'day' }),
    () => '/timer/stats?period=day',
    ({ tasks, ...stats }) => ({ stats, data: tasks, total: tasks.length, nextOffset: null }),
  ],
  [
    'list_notifications',
    () => ({ unreadOnly: true }),
    () => '/notifications?unreadOnly=true',
    pageOf((item) => ({
      ...only('id', 'type', 'isRead', 'createdAt', 'task', 'comment', 'project', 'workspace')(item),
      actor: item.actor && only('id', 'name')(item.actor),
    })),
  ],
];

describe('a tool that reads answers what its REST route answers to the same token', () => {
  it.each(readings)('%s', async (name, args, path, shown) => {
    tried.add(name);
    const rest = await api(token).get(path(world.people.lead));
    expect(rest.status).toBe(200);
    expect(await use(token, name, args())).toEqual(shown(rest.body));
  });

  it('for every role', async () => {
    const people: readonly Person[] = Object.values(world.people);
    for (const person of people) {
      const theirs = await tokenOf(world, person);
      for (const [name, args, path, shown] of readings) {
        const rest = await api(theirs).get(path(person));
        const result = await call(theirs, name, args());
        expect(result.isError ?? false, `${person.role} ${name} ${textOf(result)}`).toBe(rest.status !== 200);
        if (rest.status === 200)
          expect(result.structuredContent, `${person.role} ${name}`).toEqual(shown(rest.body));
      }
    }
  });
});

/** What a change left behind, without ids and times of its own. */
async function tracesOf(id: number) {
  const { body: history } = await api(token).get(`/tasks/${id}/activities?limit=100`);
  const { body: task } = await api(token).get(`/tasks/${id}`);
  const told = await Promise.all(
    Object.values(world.people).map(async (person) => {
      const { body } = await api(person.token).get('/notifications?limit=100');
      const about = body.data.filter((each: Rest) => each.task?.id === id);
      return [person.role, about.map((each: Rest) => [each.type, each.actor?.id, each.comment?.content])];
    }),
  );
  return {
    activities: history.data.map((each: Rest) => [each.type, each.field, each.from, each.to, each.actor.id]),
    via: history.data.map((each: Rest) => each.via),
    told,
    task: {
      ...task,
      id: 0,
      createdAt: '',
      updatedAt: '',
      comments: task.comments.map((each: Rest) => [each.content, each.author.id]),
    },
  };
}

async function expectSameTraces(byRest: number, byTool: number, changes: number) {
  const [rest, tool] = [await tracesOf(byRest), await tracesOf(byTool)];
  expect(tool.activities).toEqual(rest.activities);
  expect(tool.told).toEqual(rest.told);
  expect(tool.task).toEqual(rest.task);
  expect(rest.via.slice(0, changes)).toEqual(Array.from({ length: changes }, () => 'oauth'));
  expect(tool.via.slice(0, changes)).toEqual(Array.from({ length: changes }, () => 'mcp'));
}

describe('a tool that writes leaves what its REST route leaves, but for via', () => {
  it('create_task', async () => {
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
    const tool = await use(token, 'create_task', { ...fields, project: 'joined', assignee: member.email });
    expect({ ...tool.task, id: 0 }).toEqual({ ...rowOf(rest.body), id: 0 });
    await expectSameTraces(rest.body.id, tool.task.id, 1);
  });

  it('update_task, set_task_archived and add_comment', async () => {
    const { lead, member, owner } = world.people;
    const draft = { name: 'Changed twice', assigneeId: member.userId, description: '<p>Old</p>' };
    const byRest = (await createTask(lead, world.projects.joined.id, draft)).id;
    const byTool = (await createTask(lead, world.projects.joined.id, draft)).id;
    const changes = { status: 'client_review', description: null, deadline: '2027-02-01' };
    const rest = await api(token).patch(`/tasks/${byRest}`, { ...changes, assigneeId: owner.userId });
    const tool = await use(token, 'update_task', { id: byTool, ...changes, assignee: owner.name });
    expect({ ...tool.task, id: 0 }).toEqual({ ...rowOf(rest.body), id: 0 });
    await api(token).patch(`/tasks/${byRest}`, { assigneeId: null });
    await use(token, 'update_task', { id: byTool, assignee: null });
    await api(token).post(`/tasks/${byRest}/comments`, { content: 'Seen' });
    await use(token, 'add_comment', { taskId: byTool, content: 'Seen' });
    await expectSameTraces(byRest, byTool, 4);
    await api(token).post(`/tasks/${byRest}/archive`);
    expect((await use(token, 'set_task_archived', { id: byTool, isArchived: true })).task.isArchived).toBe(
      true,
    );
    await api(token).post(`/tasks/${byRest}/unarchive`);
    await use(token, 'set_task_archived', { id: byTool, isArchived: false });
    await expectSameTraces(byRest, byTool, 6);
  });

  it('create_meeting, update_meeting and cancel_meeting', async () => {
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
    const tool = await use(token, 'create_meeting', {
      ...draft,
      project: world.projects.joined.id,
      participants: ['me', member.name],
    });
    const withoutIds = (meeting: Rest) => ({
      ...meeting,
      id: 0,
      participants: meeting.participants.map((each: Rest) => ({ ...each, taskId: 0 })),
    });
    expect(withoutIds(tool.meeting)).toEqual(withoutIds(meetingOf(rest.body)));
    const taskOf = (meeting: Rest) =>
      meeting.participants.find((each: Rest) => each.name === member.name).taskId;
    await expectSameTraces(taskOf(rest.body), taskOf(tool.meeting), 1);
    const moved = await api(token).patch(`/meetings/${rest.body.id}`, { date: '2027-05-04', location: null });
    const movedByTool = await use(token, 'update_meeting', {
      id: tool.meeting.id,
      date: '2027-05-04',
      location: null,
    });
    expect(withoutIds(movedByTool.meeting)).toEqual(withoutIds(meetingOf(moved.body)));
    await expectSameTraces(taskOf(rest.body), taskOf(tool.meeting), 1);
    await api(token).delete(`/meetings/${rest.body.id}`);
    expect(await use(token, 'cancel_meeting', { id: tool.meeting.id })).toEqual({ success: true });
    await expectSameTraces(taskOf(rest.body), taskOf(tool.meeting), 1);
    expect((await api(token).get(`/meetings/${tool.meeting.id}`)).status).toBe(404);
  });

  it('set_timer', async () => {
    const { entry } = await use(token, 'set_timer', { taskId });
    expect((await api(token).get('/timer/current')).body).toMatchObject({
      id: entry.id,
      taskId,
      endTime: null,
    });
    const stopped = await use(token, 'set_timer', { taskId: null });
    const { body } = await api(token).get('/timer/entries?limit=1');
    expect(stopped.entry).toEqual(body.data[0]);
    const none = await call(token, 'set_timer', { taskId: null });
    expect(none.isError).toBe(true);
    expect(textOf(none)).toContain('set_timer');
  });

  it('mark_notifications_read', async () => {
    const { member } = world.people;
    const theirs = await tokenOf(world, member);
    const unread = async () => (await api(theirs).get('/notifications?unreadOnly=true')).body;
    const { data, meta } = await unread();
    const { notification } = await use(theirs, 'mark_notifications_read', { id: data[0].id });
    expect(notification).toMatchObject({ id: data[0].id, isRead: true });
    expect((await unread()).meta.total).toBe(meta.total - 1);
    expect(await use(theirs, 'mark_notifications_read', { all: true })).toEqual({ updated: meta.total - 1 });
    expect((await unread()).meta.total).toBe(0);
  });

  it('and nothing is left out', () => {
    const written = tools.filter(({ hints }) => !hints.readOnlyHint).map(({ name }) => name);
    expect(written).toHaveLength(9);
    expect([...tried].sort()).toEqual(
      tools
        .filter(({ hints }) => hints.readOnlyHint)
        .map(({ name }) => name)
        .sort(),
    );
  });
});
