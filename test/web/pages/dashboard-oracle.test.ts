// Compares the dashboard page with the API, which test/dashboard compares with the stored rows. For every filter, each
// number must be equal, unless the page shows it as a lower bound.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/kernel/access/roles.ts';
import { addDays } from '../../../src/kernel/dates/civil-date.ts';
import { taskStatuses } from '../../../src/tasks/model/tasks.schema.ts';
import { api } from '../../support/api.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { createRandom } from '../../support/random.ts';
import { isLong } from '../../support/tier.ts';
import {
  createProject,
  createTeam,
  createWorkspace,
  type Person,
  type Workspace,
} from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';
import { readDashboard, type ShownDashboard } from './dashboard-page.ts';

const PAGES = isLong ? 240 : 80;
const TASKS = 400;
const random = createRandom(77);
const today = new Date().toISOString().slice(0, 10);
const statuses = ['active', 'active', 'planned', 'completed', 'on-hold', 'active'];

type Filter = Partial<
  Record<'q' | 'project' | 'team' | 'assignee' | 'projectStatus' | 'status' | 'from' | 'to' | 'mode', string>
>;

let world: Workspace<string>;
let people: Person[];
const projects: number[] = [];
const teams: number[] = [];
const screensByPerson = new Map<Person, WorkspaceBrowser>();

beforeAll(async () => {
  const others: Role[] = Array.from({ length: 7 }, () => 'member');
  const roles: Role[] = ['owner', 'lead', 'lead', 'client', 'client', ...others];
  world = await createWorkspace<string>({
    cell: 1,
    members: Object.fromEntries(roles.map((role, index): [string, Role] => [`person${index}`, role])),
  });
  people = Object.values(world.people);
  const pickSome = (count: number) => people.filter(() => random.chance(count / people.length));
  for (const status of statuses) {
    const owner = random.pick(people);
    const members = pickSome(4).filter((person) => person !== owner);
    projects.push((await createProject(world, { owner, members, status })).id);
  }
  for (const parent of [-1, 0, -1]) {
    const [lead, ...members] = pickSome(4);
    const under = parent >= 0 ? { parent: teams[parent] as number } : {};
    teams.push(await createTeam(world, { ...(lead && { lead }), members, ...under }));
  }
  const owner = api((people[0] as Person).token);
  for (let made = 0; made < TASKS; made += 100) {
    const tasks = Array.from({ length: 100 }, () => ({
      projectId: random.pick(projects),
      name: random.pick(['Draft of it', 'Plain', 'Needle', 'Other draft']),
      status: random.pick(taskStatuses),
      ...(random.chance(0.8) && { assigneeId: random.pick(people).userId }),
      ...(random.chance(0.9) && { deadline: addDays(today, random.integer(-20, 20)) }),
    }));
    const { status, body } = await owner.post('/tasks/bulk', { tasks });
    expect(status).toBe(201);
    for (const { task } of body.data.slice(0, 12)) {
      const content = random.pick(['a draft', 'agreed', 'needle']);
      expect((await owner.post(`/tasks/${task.id}/comments`, { content })).status).toBe(201);
    }
  }
  for (const person of people) screensByPerson.set(person, await WorkspaceBrowser.signIn(world, person));
});

function createRandomFilter(): Filter {
  const filter: Filter = {};
  if (random.chance(0.2)) filter.q = random.pick(['draft', 'needle', 'e', 'zzz']);
  if (random.chance(0.25)) filter.project = String(random.pick(projects));
  if (random.chance(0.3)) filter.team = String(random.pick([...teams, 1]));
  if (random.chance(0.3)) filter.assignee = random.pick(['me', ...people.map(({ userId }) => userId)]);
  if (random.chance(0.25)) filter.projectStatus = random.pick([...statuses, 'nonsense']);
  if (random.chance(0.2)) filter.status = random.pick(taskStatuses);
  if (random.chance(0.25)) filter.from = addDays(today, random.integer(-25, 10));
  if (random.chance(0.25)) filter.to = addDays(filter.from ?? today, random.integer(0, 12));
  if (random.chance(0.3)) filter.mode = 'monthly';
  return filter;
}

function toApiQuery({ q, project, team, assignee, projectStatus, status, from, to }: Filter, caller: Person) {
  const person = assignee === 'me' ? caller.userId : assignee;
  const scope = { projectId: project, teamId: team, assigneeId: person, projectStatus };
  return { scope, text: { search: q }, days: { from, to }, status: { status } };
}

async function callDashboardApi(caller: Person, path: string, query: Record<string, string | undefined>) {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { status, body } = await api(caller.token).get(`/dashboard/${path}?${new URLSearchParams(entries)}`);
  expect(status, path).toBe(200);
  return body;
}

/** Omits filters whose value doesn't exist or isn't visible to the caller, because the page ignores them. */
async function omitUnknownFilters(
  { project, team, projectStatus, ...rest }: Filter,
  caller: Person,
): Promise<Filter> {
  const isSeen = project && (await api(caller.token).get(`/projects/${project}`)).status === 200;
  return {
    ...rest,
    ...(isSeen && { project }),
    ...(team && teams.includes(Number(team)) && { team }),
    ...(projectStatus && statuses.includes(projectStatus) && { projectStatus }),
  };
}

async function comparePage(caller: Person, requested: Filter) {
  const screens = screensByPerson.get(caller) as WorkspaceBrowser;
  const { status, html } = await screens.open(`/dashboard?${new URLSearchParams(requested)}`);
  expect(status).toBe(200);
  const shown = readDashboard(html);
  const filter = await omitUnknownFilters(requested, caller);
  const { scope, text, days, status: ofStatus } = toApiQuery(filter, caller);
  const stats = await callDashboardApi(caller, 'stats', { ...scope, ...text, ...days, ...ofStatus });
  const { Projects, Overdue, 'Due today': dueToday, 'Due this week': dueThisWeek } = shown.tiles;
  for (const [found, expected] of [
    [Projects, stats.projects],
    [Overdue, stats.overdue],
    [dueToday, stats.dueToday],
    [dueThisWeek, stats.dueThisWeek],
  ] as const) {
    if (found.isAll) expect(found.count).toBe(expected);
    else expect(found.count).toBeLessThanOrEqual(expected);
  }
  await compareDue(caller, filter, shown);
  if (filter.status === undefined) {
    const comments = await callDashboardApi(caller, 'comments', { ...scope, ...text, ...days, limit: '6' });
    expect(shown.comments).toEqual(comments.data.map(({ id }: { id: number }) => id));
  }
  if (filter.status === undefined && filter.q === undefined && !(filter.to && !filter.from)) {
    const { workloads } = await callDashboardApi(caller, 'workload', {
      ...scope,
      ...days,
      mode: filter.mode,
    });
    const expected = workloads.map(
      (each: { user: { name: string }; plannedHours: number; capacityHours: number }) => [
        each.user.name,
        `${each.plannedHours} / ${each.capacityHours} h`,
      ],
    );
    expect(shown.hours).toEqual(Object.fromEntries(expected));
  }
  return shown;
}

async function compareDue(caller: Person, filter: Filter, { due, texts }: ShownDashboard) {
  const { scope, text, days, status } = toApiQuery(filter, caller);
  const window = filter.from || filter.to ? days : { from: today, to: addDays(today, 13) };
  const { data, meta } = await callDashboardApi(caller, 'tasks', {
    ...scope,
    ...text,
    ...window,
    ...status,
    sort: 'due',
    limit: '100',
  });
  const all = data.map(({ id }: { id: number }) => id);
  if (due.total.isAll) expect(due.total.count).toBe(meta.total);
  else expect(due.total.count).toBeLessThanOrEqual(meta.total);
  if (texts.due.includes('There may be more.')) {
    const places = due.ids.map((id) => all.indexOf(id)).filter((place) => place >= 0);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    if (meta.total <= 100) expect(places).toHaveLength(due.ids.length);
  } else {
    expect(due.ids).toEqual(all.slice(0, 10));
  }
}

describe('the dashboard page shows the same data as the API', () => {
  it(`for ${PAGES} random filters and callers, no matter when counters were last updated`, async () => {
    const seen = { exact: 0, soFar: 0, comments: 0, hours: 0, deadlines: 0 };
    for (let page = 0; page < PAGES; page += 1) {
      if (page === PAGES / 3) await moveCutoffs(world, addDays(today, -3));
      if (page === (2 * PAGES) / 3) await moveCutoffs(world, today);
      const [caller, filter] = [random.pick(people), createRandomFilter()];
      try {
        const { tiles, due, comments, hours } = await comparePage(caller, filter);
        seen[Object.values(tiles).every(({ isAll }) => isAll) ? 'exact' : 'soFar'] += 1;
        seen.comments += comments.length;
        seen.hours += Object.keys(hours).length;
        seen.deadlines += due.ids.length;
      } catch (error) {
        throw new Error(`${caller.role} ${JSON.stringify(filter)}`, { cause: error });
      }
    }
    expect(seen.exact).toBeGreaterThan(PAGES / 2);
    for (const number of Object.values(seen)) expect(number, JSON.stringify(seen)).toBeGreaterThan(10);
  });
});
