// Requests for which the bench measures the cost, but not the speed.

import {
  type BudgetFunction,
  buildCall,
  type CountedRequest,
  computeSearchBudget,
  createReadBudget,
  createTokenSigner,
  createTripBudget,
  READ_TRIPS,
} from './request.ts';
import { COMMON_WORD, RARE_WORD } from './seed.ts';
import type { World } from './world.ts';
import { countDaysSinceCutoff, PAST_CUTOFF } from './world.ts';

const PEOPLE = 51;

export async function createCountedRequests(world: World): Promise<CountedRequest[]> {
  const { apiKey, people, projects, size } = world;
  const session = createTokenSigner(world);
  const tokens = { owner: apiKey, lead: await session(people.lead), member: await session(people.member) };
  const asked = (name: string, path: string, token: string, budget: BudgetFunction): CountedRequest => ({
    name,
    budget,
    variants: [[buildCall('GET', path, token)]],
  });
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
  // A search reads the matches of the whole workspace, so only the owner's total, which counts all matches, is a bound
  // for the rows read.
  const commentMixes = (role: string, token: string): CountedRequest[] => [
    ...Object.entries(commentFilters).map(([name, filter]) =>
      asked(
        `dashboard comments, ${name} (${role})`,
        `/dashboard/comments?${filter}`,
        token,
        createReadBudget(2_000),
      ),
    ),
    ...Object.entries(commentSearches).map(([name, word]) =>
      asked(
        `dashboard comments, ${name} (${role})`,
        `/dashboard/comments?search=${word}`,
        token,
        role === 'owner' ? computeSearchBudget : createTripBudget(READ_TRIPS),
      ),
    ),
    {
      name: `dashboard comments, cursor (${role})`,
      budget: createReadBudget(2_000),
      variants: [],
      follows: buildCall('GET', `/dashboard/comments?offset=${role === 'owner' ? 10_000 : 500}`, token),
    },
  ];
  // The workload reads two rows per person for each half month that the cron job hasn't summed yet.
  const workloadRead = createReadBudget(1_000 + 2 * PEOPLE * Math.ceil(countDaysSinceCutoff() / 15));
  return [
    ...Object.entries(mixes).map(([name, mix]) =>
      asked(`list, ${name}`, `/tasks?${mix}`, apiKey, createReadBudget(400)),
    ),
    asked('list, scope=mine, status', '/tasks?scope=mine&status=todo', tokens.lead, createReadBudget(4_000)),
    asked(
      'list, scope=mine, assignee',
      `/tasks?scope=mine&assigneeId=${people.lead.userId}`,
      tokens.lead,
      createReadBudget(4_000),
    ),
    ...Object.entries(tokens).flatMap(([role, token]) => [
      asked(
        `dashboard stats (${role})`,
        `/dashboard/stats?localDate=${PAST_CUTOFF}`,
        token,
        createReadBudget(2_000),
      ),
      ...['due', 'created', 'status'].map((sort) =>
        asked(
          `dashboard tasks by ${sort} (${role})`,
          `/dashboard/tasks?sort=${sort}`,
          token,
          createReadBudget(2_000),
        ),
      ),
      asked(
        `dashboard tasks by name (${role})`,
        '/dashboard/tasks?sort=name',
        token,
        createReadBudget(role === 'owner' ? 2_000 : 10_000),
      ),
    ]),
    ...Object.entries(tokens).flatMap(([role, token]) => [
      asked(`workload of a month (${role})`, '/dashboard/workload?mode=monthly', token, workloadRead),
      asked(
        `workload of a month, one project (${role})`,
        `/dashboard/workload?mode=monthly&projectId=${projects + 3}`,
        token,
        workloadRead,
      ),
    ]),
    ...Object.entries(tokens).flatMap(([role, token]) => commentMixes(role, token)),
    asked('events, the head', '/events', apiKey, createReadBudget(10)),
    asked('events, the oldest 100', '/events?after=0&limit=100', apiKey, createReadBudget(210)),
    asked('events, 100 in the middle', `/events?after=${size / 2}&limit=100`, apiKey, createReadBudget(210)),
    asked(
      'dashboard tasks by name, one assignee',
      `/dashboard/tasks?sort=name&assigneeId=${people.member.userId}`,
      apiKey,
      createReadBudget(10_000),
    ),
  ];
}
