// What is measured. A request has variants, each a sequence of calls that starts over; every call may be repeated.
import { signSessionToken } from '../src/credentials/session-token.ts';
import { BORDER } from './border.mjs';
import { PUBLIC_URL, SESSION_SECRET } from './runtime.mjs';
import { COMMON_WORD, RARE_WORD } from './seed.mjs';

const DEPTH = 50_000;

/** Targets of the design: trips, and rows by what the answer says. */
const READ_TRIPS = 1;
const WRITE_TRIPS = 2;
const read = (rowsRead) => () => ({ trips: READ_TRIPS, rowsRead, rowsWritten: 0 });
const searched = ({ meta }) => ({ trips: READ_TRIPS, rowsRead: 500 + 3 * meta.total, rowsWritten: 0 });
const changed = ({ followers }) => ({
  trips: WRITE_TRIPS,
  rowsRead: 40 + 10 * followers.length,
  // The owner of the key follows none of them, so every follower is told.
  rowsWritten: 16 + followers.length + 4 * followers.length,
});
const uncounted = (trips) => () => ({ trips, rowsRead: Infinity, rowsWritten: Infinity });

/** How deep the deep pages lie: 50,000, or the middle of a workspace that has not so many. */
export function depthOf({ size }) {
  return Math.min(DEPTH, size / 2);
}

/** What is timed, and held against its targets. */
export async function timedRequests(world) {
  const { apiKey, pools, people, projects } = world;
  const session = await sessionOf(world);
  const get = (path, token = apiKey) => call('GET', path, token);
  const one = (...calls) => calls.map((each) => [each]);
  const [project, assignee] = [projects + 3, people.crowd[20]];
  const depth = depthOf(world);
  return [
    {
      name: 'list, first page',
      shape: 'tasks',
      grows: false,
      budget: read(400),
      variants: one(get('/tasks')),
    },
    {
      name: 'list, filtered',
      shape: 'tasks',
      grows: false,
      budget: read(400),
      variants: one(
        get('/tasks?status=in_progress'),
        get(`/tasks?projectId=${project}`),
        get('/tasks?priority=high'),
        get(`/tasks?assigneeId=${assignee}`),
        get('/tasks?isArchived=true'),
        get('/tasks?status=todo&priority=low'),
        get(`/tasks?projectId=${project}&assigneeId=${assignee}`),
        get(`/tasks?assigneeId=${assignee}&status=client_review`),
      ),
    },
    {
      name: `list, offset ${depth.toLocaleString('en')}`,
      shape: 'tasks',
      budget: uncounted(READ_TRIPS),
      variants: one(get(`/tasks?offset=${depth}`)),
    },
    {
      name: 'list, cursor at that depth',
      shape: 'tasks',
      grows: false,
      budget: read(400),
      variants: [],
      follows: get(`/tasks?offset=${depth - 25}`),
    },
    {
      name: 'search, rare word',
      shape: 'tasks',
      budget: searched,
      variants: one(get(`/tasks?search=${RARE_WORD}`)),
    },
    {
      name: 'search, common word',
      shape: 'tasks',
      budget: searched,
      variants: one(get(`/tasks?search=${COMMON_WORD}`)),
    },
    {
      name: 'list, scope=mine',
      shape: 'tasks',
      budget: read(1_500),
      variants: one(get('/tasks?scope=mine', await session(people.lead))),
    },
    {
      name: 'get',
      shape: 'detail',
      grows: false,
      budget: read(60),
      variants: one(...pools.read.map((id) => get(`/tasks/${id}`))),
    },
    {
      name: 'create',
      shape: 'detail',
      isWrite: true,
      budget: () => ({ trips: WRITE_TRIPS, rowsRead: 60, rowsWritten: 25 }),
      variants: one(
        call('POST', '/tasks', apiKey, {
          projectId: project,
          name: 'Made by the bench',
          assigneeId: assignee,
          deadline: '2026-12-01',
        }),
      ),
    },
    {
      name: 'patch status',
      shape: 'detail',
      isWrite: true,
      budget: changed,
      // To and fro: a variant belongs to one connection at a time.
      variants: pools.change.map((id) =>
        ['in_progress', 'todo'].map((status) => call('PATCH', `/tasks/${id}`, apiKey, { status })),
      ),
    },
    {
      name: 'comment',
      shape: 'comment',
      isWrite: true,
      budget: uncounted(WRITE_TRIPS),
      variants: one(
        ...pools.discuss.map((id) =>
          call('POST', `/tasks/${id}/comments`, apiKey, { content: 'Looks good.' }),
        ),
      ),
    },
    {
      name: 'dashboard stats',
      shape: 'stats',
      grows: false,
      budget: read(2_000),
      variants: one(get(`/dashboard/stats?localDate=${BORDER}`)),
    },
    {
      name: 'dashboard tasks',
      shape: 'dashboardTasks',
      budget: read(2_000),
      variants: one(get(`/dashboard/tasks?localDate=${BORDER}`)),
    },
    {
      name: 'dashboard comments',
      grows: false,
      shape: 'dashboardComments',
      budget: read(2_000),
      // Without those that the bench itself writes, whose times differ from worker to worker.
      variants: one(get('/dashboard/comments?to=2026-10-31')),
    },
    {
      name: 'workload',
      shape: 'workload',
      budget: read(2_000),
      variants: one(get(`/dashboard/workload?from=${BORDER}`)),
    },
    {
      name: 'notifications count',
      shape: 'count',
      budget: read(10),
      variants: one(get('/notifications/count')),
    },
  ];
}

/** The rest of the cost table: asked once, not timed. */
export async function countedRequests(world) {
  const { apiKey, people, projects } = world;
  const session = await sessionOf(world);
  const tokens = { owner: apiKey, lead: await session(people.lead), member: await session(people.member) };
  const asked = (name, path, token, budget) => ({ name, budget, variants: [[call('GET', path, token)]] });
  const mixes = {
    'four filters': `projectId=${projects + 3}&status=completed&priority=medium&isArchived=true`,
    'status todo': 'status=todo',
    'priority low': 'priority=low',
  };
  const commentFilters = {
    'first page': '',
    'offset 100': 'offset=100',
    'one project': `projectId=${projects + 3}`,
    'projects by status': 'projectStatus=active',
    'projects by status, offset 100': 'projectStatus=active&offset=100',
    'a month of projects by status': 'from=2026-03-10&to=2026-04-09&projectStatus=active',
    'projects by status, three assignees': `projectStatus=active&assigneeId=${people.crowd.slice(21, 24)}`,
    'one assignee': `assigneeId=${people.crowd[22]}`,
    'three assignees': `assigneeId=${people.crowd.slice(21, 24)}`,
    team: 'teamId=1',
    'a day': 'from=2026-03-02&to=2026-03-02',
    'a month': 'from=2026-03-10&to=2026-04-09',
    'a year': 'from=2025-11-10&to=2026-11-09',
    'a month of three assignees': `from=2026-03-10&to=2026-04-09&assigneeId=${people.crowd.slice(21, 24)}`,
  };
  const commentSearches = {
    'rare word': RARE_WORD,
    'common word': COMMON_WORD,
    'two letters': 'qu',
    'one letter': 'q',
  };
  // Where the role sees a part, the bound is that of what the workspace holds.
  const commentMixes = (role, token) => [
    ...Object.entries(commentFilters).map(([name, filter]) =>
      asked(`dashboard comments, ${name} (${role})`, `/dashboard/comments?${filter}`, token, read(2_000)),
    ),
    ...Object.entries(commentSearches).map(([name, word]) =>
      asked(
        `dashboard comments, ${name} (${role})`,
        `/dashboard/comments?search=${word}`,
        token,
        role === 'owner' ? searched : uncounted(READ_TRIPS),
      ),
    ),
    {
      name: `dashboard comments, cursor (${role})`,
      budget: read(2_000),
      variants: [],
      follows: call('GET', `/dashboard/comments?offset=${role === 'owner' ? 100_000 : 500}`, token),
    },
  ];
  return [
    ...Object.entries(mixes).map(([name, mix]) => asked(`list, ${name}`, `/tasks?${mix}`, apiKey, read(400))),
    asked('list, scope=mine, status', '/tasks?scope=mine&status=todo', tokens.lead, read(4_000)),
    asked(
      'list, scope=mine, assignee',
      `/tasks?scope=mine&assigneeId=${people.lead.userId}`,
      tokens.lead,
      read(4_000),
    ),
    ...Object.entries(tokens).flatMap(([role, token]) => [
      asked(`dashboard stats (${role})`, `/dashboard/stats?localDate=${BORDER}`, token, read(2_000)),
      ...['due', 'created', 'status'].map((sort) =>
        asked(`dashboard tasks by ${sort} (${role})`, `/dashboard/tasks?sort=${sort}`, token, read(2_000)),
      ),
      asked(
        `dashboard tasks by name (${role})`,
        '/dashboard/tasks?sort=name',
        token,
        read(role === 'owner' ? 2_000 : 10_000),
      ),
    ]),
    ...Object.entries(tokens).flatMap(([role, token]) => [
      asked(`workload of a month (${role})`, '/dashboard/workload?mode=monthly', token, read(2_000)),
      asked(
        `workload of a month, one project (${role})`,
        `/dashboard/workload?mode=monthly&projectId=${projects + 3}`,
        token,
        read(2_000),
      ),
    ]),
    ...Object.entries(tokens).flatMap(([role, token]) => commentMixes(role, token)),
    asked(
      'dashboard tasks by name, one assignee',
      `/dashboard/tasks?sort=name&assigneeId=${people.member.userId}`,
      apiKey,
      read(10_000),
    ),
  ];
}

export function call(method, path, token, body) {
  return {
    method,
    path: `/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

async function sessionOf({ workspaceId }) {
  const issuer = { secret: SESSION_SECRET, issuer: PUBLIC_URL };
  return async ({ userId }) =>
    (await signSessionToken(issuer, { userId, workspaceId, cell: 0 }, Date.now())).token;
}
