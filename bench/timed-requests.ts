// Each timed request has variants: sequences of calls that can be repeated.

import {
  type BudgetFunction,
  buildCall,
  type Call,
  computeSearchBudget,
  createReadBudget,
  createTokenSigner,
  createTripBudget,
  READ_TRIPS,
  type TimedRequest,
  type Variant,
  WRITE_TRIPS,
} from './request.ts';
import { COMMON_WORD, RARE_WORD } from './seed.ts';
import type { World } from './world.ts';
import { PAST_CUTOFF } from './world.ts';

const PAGE_DEPTH_MAX = 50_000;

const computeChangeBudget: BudgetFunction = ({ followers = [] }) => ({
  trips: WRITE_TRIPS,
  rowsRead: 40 + 10 * followers.length,
  // The owner of the key follows none of these tasks, so every follower is notified.
  rowsWritten: 16 + followers.length + 4 * followers.length,
});

function getPageDepth({ size }: World): number {
  return Math.min(PAGE_DEPTH_MAX, size / 2);
}

export async function createTimedRequests(world: World): Promise<TimedRequest[]> {
  const { apiKey, pools, people, projects } = world;
  const session = createTokenSigner(world);
  const get = (path: string, token = apiKey) => buildCall('GET', path, token);
  const toSingleCallVariants = (...calls: Call[]): Variant[] => calls.map((each) => [each]);
  const [project, assignee] = [projects + 3, people.crowd[20]];
  const depth = getPageDepth(world);
  return [
    {
      name: 'list, first page',
      isCompared: true,
      grows: false,
      budget: createReadBudget(400),
      variants: toSingleCallVariants(get('/tasks')),
    },
    {
      name: 'list, filtered',
      grows: false,
      budget: createReadBudget(400),
      variants: toSingleCallVariants(
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
      budget: createTripBudget(READ_TRIPS),
      variants: toSingleCallVariants(get(`/tasks?offset=${depth}`)),
    },
    {
      name: 'list, cursor at that depth',
      grows: false,
      budget: createReadBudget(400),
      variants: [],
      follows: get(`/tasks?offset=${depth - 25}`),
    },
    {
      name: 'search, rare word',
      budget: computeSearchBudget,
      variants: toSingleCallVariants(get(`/tasks?search=${RARE_WORD}`)),
    },
    {
      name: 'search, common word',
      budget: computeSearchBudget,
      variants: toSingleCallVariants(get(`/tasks?search=${COMMON_WORD}`)),
    },
    {
      name: 'list, scope=mine',
      budget: createReadBudget(1_500),
      variants: toSingleCallVariants(get('/tasks?scope=mine', await session(people.lead))),
    },
    {
      name: 'get',
      isCompared: true,
      grows: false,
      budget: createReadBudget(60),
      variants: toSingleCallVariants(...pools.read.map((id) => get(`/tasks/${id}`))),
    },
    {
      name: 'create',
      isCompared: true,
      isWrite: true,
      budget: () => ({ trips: WRITE_TRIPS, rowsRead: 60, rowsWritten: 25 }),
      variants: toSingleCallVariants(
        buildCall('POST', '/tasks', apiKey, {
          projectId: project,
          name: 'Made by the bench',
          assigneeId: assignee,
          deadline: '2026-12-01',
        }),
      ),
    },
    {
      name: 'patch status',
      isWrite: true,
      budget: computeChangeBudget,
      // Changes the status back and forth. Each variant is used by only one connection.
      variants: pools.change.map((id) =>
        ['in_progress', 'todo'].map((status) => buildCall('PATCH', `/tasks/${id}`, apiKey, { status })),
      ),
    },
    {
      name: 'comment',
      isWrite: true,
      budget: createTripBudget(WRITE_TRIPS),
      variants: toSingleCallVariants(
        ...pools.discuss.map((id) =>
          buildCall('POST', `/tasks/${id}/comments`, apiKey, { content: 'Looks good.' }),
        ),
      ),
    },
    {
      name: 'dashboard stats',
      grows: false,
      budget: createReadBudget(2_000),
      variants: toSingleCallVariants(get(`/dashboard/stats?localDate=${PAST_CUTOFF}`)),
    },
    {
      name: 'dashboard tasks',
      budget: createReadBudget(2_000),
      variants: toSingleCallVariants(get(`/dashboard/tasks?localDate=${PAST_CUTOFF}`)),
    },
    {
      name: 'dashboard comments',
      grows: false,
      budget: createReadBudget(2_000),
      variants: toSingleCallVariants(get('/dashboard/comments?to=2026-10-31')),
    },
    {
      name: 'workload',
      budget: createReadBudget(2_000),
      variants: toSingleCallVariants(get(`/dashboard/workload?from=${PAST_CUTOFF}`)),
    },
    {
      name: 'notifications count',
      budget: createReadBudget(10),
      variants: toSingleCallVariants(get('/notifications/count')),
    },
  ];
}
