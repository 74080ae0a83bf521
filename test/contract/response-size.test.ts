import { expect, it } from 'vitest';
import { routes, tools } from '../../src/registry.ts';
import { getRouteName } from './requests.ts';
import { computeSize } from './response-size.ts';

const MIB = 1024 ** 2;
const RESPONSE_BYTES_MAX = 8 * MIB;

/**
 * Lists whose length depends on the number of people, and isn't limited by paging. The API can't add people to a
 * project or team, so a tenant can't grow these lists with requests. Responses are at most 8 MiB as long as each
 * list has at most `people` entries.
 */
const peopleListLimits: Record<string, { lists: string[]; people: number }> = {
  TaskDetail: { lists: ['followers'], people: 2_000 },
  // This result contains a hundred tasks with their followers. test/suites/hostile-cost/bulk-texts.test.ts covers long
  // descriptions.
  BulkResult: { lists: ['data[].task.followers'], people: 6 },
  ProjectMembers: { lists: ['data'], people: 2_000 },
  Workload: { lists: ['workloads'], people: 2_000 },
  ProjectDetail: { lists: ['members'], people: 2_000 },
  // A page of 100 projects or teams lists each person once per membership.
  ProjectPage: { lists: ['data[].members'], people: 60 },
  TeamPage: { lists: ['data[].members'], people: 60 },
};
const peopleLists = Object.values(peopleListLimits).flatMap(({ lists: named }) => named);

const operations = [...new Map(routes.map((route) => [route.operation.name, route])).values()];

function getPeopleLists(path: string): { lists: string[]; people: number } {
  if (path === '/projects/:id/members')
    return peopleListLimits.ProjectMembers as (typeof peopleListLimits)[string];
  if (path.startsWith('/tasks/bulk')) return peopleListLimits.BulkResult as (typeof peopleListLimits)[string];
  const kinds: Record<string, string> = {
    '/projects': 'ProjectPage',
    '/projects/:id': 'ProjectDetail',
    '/teams': 'TeamPage',
    '/dashboard/workload': 'Workload',
  };
  const kind =
    kinds[path] ??
    (/^\/tasks(\/:id(\/(un)?archive|\/duplicate|\/move|\/restore|\/checklist\/.*\/convert)?)?$/.test(path)
      ? 'TaskDetail'
      : '');
  return peopleListLimits[kind] ?? { lists: [], people: 0 };
}

it.each(operations.map((route) => [getRouteName(route), route] as const))(
  '%s returns at most 8 MiB, even if every text and list has its maximum length',
  (_name, route) => {
    const { lists: named, people } = getPeopleLists(route.path);
    const { bytes, bytesPerPerson, unbounded } = computeSize(route.operation.output, named);
    expect(unbounded).toEqual([]);
    expect(bytes + people * bytesPerPerson).toBeLessThanOrEqual(RESPONSE_BYTES_MAX);
  },
);

it('the response size check detects unbounded fields and adds up the maximum sizes of all others', async () => {
  const z = await import('zod');
  expect(computeSize(z.object({ a: z.string(), b: z.array(z.int()) }), []).unbounded).toEqual([
    'a: a text',
    'b: a list',
  ]);
  const text = z.string().max(3);
  const worst = JSON.stringify({ a: '\u0001\u0002\u0003', b: null });
  expect(computeSize(z.object({ a: text, b: text.nullable() }), []).bytes).toBeGreaterThanOrEqual(
    worst.length,
  );
  expect(peopleLists.length).toBe(7);
  expect(tools.length).toBeGreaterThan(0);
});
