// This file is long because one table compares the read-only tools with their REST routes, so that none is forgotten.
import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../src/registry.ts';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { api } from '../support/api.ts';
import { createTask, createTeam, createWorld, type Person, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import {
  pickFields,
  type RestValue,
  toMeeting,
  toPage,
  toSameValue,
  toSingleItem,
  toTaskRow,
} from './expected-results.ts';

let world: World;
let token: string;
let taskId: number;
let meetingId: number;

beforeAll(async () => {
  world = await createWorld();
  const { lead, member, owner } = world.people;
  token = await createOAuthToken(world, lead);
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
  await confirmUpload(member, taskId, { s3Key: await presignAndUpload(member, taskId) });
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

type ReadComparison = [
  tool: string,
  args: () => Record<string, unknown>,
  path: (person: Person) => string,
  shown: (body: RestValue) => object,
];

const readComparisons: ReadComparison[] = [
  [
    'get_me',
    () => ({}),
    () => '/me',
    (me) => ({
      ...me,
      today: new Date().toISOString().slice(0, 10),
      timeZone: 'UTC',
      limits: expect.any(Array),
    }),
  ],
  ['find_tasks', () => ({}), () => '/tasks', toPage(toTaskRow)],
  [
    'find_tasks',
    () => ({ project: 'Joined', assignee: 'me', priority: ['high'], search: 'LAUNCH', limit: 1 }),
    ({ userId }) =>
      `/tasks?projectId=${world.projects.joined.id}&assigneeId=${userId}&priority=high&search=LAUNCH&limit=1`,
    toPage(toTaskRow),
  ],
  ['find_tasks', () => ({ scope: 'mine', limit: 2 }), () => '/tasks?scope=mine&limit=2', toPage(toTaskRow)],
  [
    'get_task',
    () => ({ id: taskId }),
    () => `/tasks/${taskId}?expand=detail,structure,assignees,recurrence&descriptionFormat=markdown`,
    (task) => ({
      task: {
        ...task,
        files: [expect.anything()],
        filesTotal: 1,
        subtaskRows: [],
        checklistLines: [],
        relations: [],
        relationsTotal: 0,
        fields: {},
      },
    }),
  ],
  [
    'get_task',
    () => ({ id: taskId, part: 'comments', limit: 1 }),
    () => `/tasks/${taskId}/comments?limit=1`,
    toPage(toSameValue),
  ],
  [
    'get_task',
    () => ({ id: taskId, part: 'files', links: true }),
    () => `/tasks/${taskId}/attachments`,
    toPage((item) => ({
      ...pickFields('id', 'fileName', 'fileType', 'fileSize', 'version', 'createdAt')(item),
      uploadedBy: item.uploadedBy.name,
      url: expect.stringMatching(/^https:.*X-Amz-Expires=900&/),
    })),
  ],
  [
    'get_task',
    () => ({ id: taskId, part: 'history', limit: 2 }),
    () => `/tasks/${taskId}/activities?limit=2`,
    toPage((item) => ({
      ...pickFields('id', 'type', 'from', 'to', 'via', 'commentId', 'createdAt')(item),
      actor: pickFields('id', 'name')(item.actor),
    })),
  ],
  ['find_projects', () => ({}), () => '/projects', toPage(toSameValue)],
  ['find_projects', () => ({ scope: 'mine' }), () => '/projects?scope=mine', toPage(toSameValue)],
  [
    'find_projects',
    () => ({ project: 'Other' }),
    () => `/projects/${world.projects.other.id}`,
    toSingleItem(toSameValue),
  ],
  [
    'find_people',
    () => ({ limit: 2 }),
    () => '/users?limit=2',
    toPage(pickFields('id', 'name', 'email', 'role')),
  ],
  [
    'find_people',
    () => ({ project: world.projects.joined.id }),
    () => `/projects/${world.projects.joined.id}/members`,
    toPage(pickFields('id', 'name', 'email', 'role', 'isOwner')),
  ],
  [
    'find_people',
    () => ({ person: world.people.client.email }),
    () => `/users/${world.people.client.userId}`,
    toSingleItem(pickFields('id', 'name', 'email', 'role')),
  ],
  [
    'list_reference',
    () => ({ kind: 'task_statuses' }),
    () => '/task-statuses',
    toPage(pickFields('id', 'value', 'label')),
  ],
  [
    'list_reference',
    () => ({ kind: 'project_statuses' }),
    () => '/project-statuses',
    toPage(pickFields('id', 'value', 'label')),
  ],
  ['list_reference', () => ({ kind: 'task_categories' }), () => '/task-categories', toPage(toSameValue)],
  [
    'list_reference',
    () => ({ kind: 'task_types', categoryId: world.categories[1].id }),
    () => `/task-types?categoryId=${world.categories[1].id}`,
    toPage(toSameValue),
  ],
  ['list_reference', () => ({ kind: 'labels' }), () => '/labels', toPage(pickFields('name', 'description'))],
  [
    'list_reference',
    () => ({ kind: 'teams' }),
    () => '/teams',
    toPage((team) => ({ ...team, members: team.members.map(pickFields('name', 'role')) })),
  ],
  ['find_meetings', () => ({ from: '2027-01-01' }), () => '/meetings?from=2027-01-01', toPage(toMeeting)],
  [
    'find_meetings',
    () => ({ id: meetingId }),
    () => `/meetings/${meetingId}?descriptionFormat=markdown`,
    toSingleItem((item) => ({ ...toMeeting(item), description: item.description })),
  ],
  ['get_dashboard', () => ({ view: 'stats' }), () => '/dashboard/stats', (stats) => ({ stats })],
  [
    'get_dashboard',
    () => ({ view: 'tasks', sort: 'name', assignees: ['me'], status: 'in_progress' }),
    ({ userId }) => `/dashboard/tasks?sort=name&assigneeId=${userId}&status=in-progress`,
    toPage((item) => ({
      ...pickFields('id', 'title', 'project', 'deadline', 'dueLabel')(item),
      status: item.status.value.replaceAll('-', '_'),
      assignee: item.assignee && pickFields('id', 'name')(item.assignee),
    })),
  ],
  [
    'get_dashboard',
    () => ({ view: 'comments', search: 'fine' }),
    () => '/dashboard/comments?search=fine',
    toPage((item) => ({
      ...pickFields('id', 'content', 'task', 'project', 'createdAt')(item),
      author: pickFields('id', 'name')(item.author),
    })),
  ],
  [
    'get_dashboard',
    () => ({ view: 'workload', from: '2026-01-05' }),
    () => '/dashboard/workload?from=2026-01-05',
    ({ workloads, ...window }) => ({
      window,
      data: workloads.map(({ user, breakdown, ...rest }: RestValue) => ({
        ...rest,
        user: pickFields('id', 'name')(user),
        breakdown: breakdown.map(({ key, count, estimatedHours }: RestValue) => ({
          key: key.replaceAll('-', '_'),
          count,
          estimatedHours,
        })),
      })),
      total: workloads.length,
      nextCursor: null,
    }),
  ],
  ['get_time', () => ({ view: 'current' }), () => '/timer/current', (current) => ({ current })],
  [
    'get_time',
    () => ({ view: 'entries', taskId }),
    () => `/timer/entries?taskId=${taskId}`,
    toPage(toSameValue),
  ],
  [
    'get_time',
    () => ({ view: 'stats', period: 'day' }),
    () => '/timer/stats?period=day',
    ({ tasks, ...stats }) => ({ stats, data: tasks, total: tasks.length, nextCursor: null }),
  ],
  [
    'list_notifications',
    () => ({ unreadOnly: true }),
    () => '/notifications?unreadOnly=true',
    toPage((item) => ({
      ...pickFields('id', 'type', 'isRead', 'createdAt', 'task', 'comment', 'project', 'workspace')(item),
      actor: item.actor && pickFields('id', 'name')(item.actor),
    })),
  ],
];

describe('a read-only tool', () => {
  it.each(readComparisons)(
    'returns the same data as its REST route (%s)',
    async (name, args, path, shown) => {
      const rest = await api(token).get(path(world.people.lead));
      expect(rest.status).toBe(200);
      const { note: _, ...content } = await callTool(token, name, args());
      expect(content).toEqual(shown(rest.body));
    },
  );

  it('returns the same data as its REST route for every role', async () => {
    const people: readonly Person[] = Object.values(world.people);
    const readAs = async (person: Person) => {
      const theirs = await createOAuthToken(world, person);
      for (const [name, args, path, shown] of readComparisons) {
        const rest = await api(theirs).get(path(person));
        const result = await getToolResult(theirs, name, args());
        expect(result.isError ?? false, `${person.role} ${name} ${getResultText(result)}`).toBe(
          rest.status !== 200,
        );
        if (rest.status !== 200) continue;
        const { note, ...content } = result.structuredContent;
        expect(content, `${person.role} ${name}`).toEqual(shown(rest.body));
        if (note !== undefined) expect(getResultText(result)).toContain(note);
      }
    };
    await Promise.all(people.map(readAs));
  });

  it('is covered by at least one comparison in this file', () => {
    // changes.test.ts compares list_changes with the event feed.
    const reading = tools
      .filter(({ name, hints }) => hints.readOnlyHint && name !== 'list_changes')
      .map(({ name }) => name);
    expect([...new Set(readComparisons.map(([name]) => name))].sort()).toEqual(reading.sort());
  });
});
