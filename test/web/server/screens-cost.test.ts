import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SEARCH_CARDS_MAX } from '../../../src/tasks/operations/cards.schema.ts';
import { api } from '../../support/api.ts';
import { BULK_TODAY, type BulkWorld, createBulkWorld } from '../../support/bulk-world.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { getCell } from '../../support/env.ts';
import { createTeam } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

const TASKS = 100_000;
const ROWS_MAX = 1_000;

let world: BulkWorld;
let owner: WorkspaceBrowser;
/** The project with the most tasks. */
let project: number;
/** A team of 13 people. */
let team: number;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${BULK_TODAY}T12:00:00Z`) });
  world = await createBulkWorld(TASKS);
  // The cron job does this at midnight.
  await moveCutoffs(world, BULK_TODAY);
  await getCell(0)
    .prepare(
      `INSERT OR IGNORE INTO flow_days SELECT f.ws, f.project, date(f.day, '-' || n.value || ' days'), 1, 1, 1, 1, 1
      FROM flow_days f CROSS JOIN json_each(?2) n WHERE f.ws = ?1`,
    )
    .bind(world.no, JSON.stringify(Array.from({ length: 60 }, (_, index) => index + 1)))
    .run();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  project = world.projectIds[0] ?? 0;
  team = await createTeam(world, { members: world.crowd.slice(5, 18) });
});

afterAll(() => {
  vi.useRealTimers();
});

async function measureCost(path: string) {
  // The first request fills caches.
  await owner.open(path);
  const { status, headers, html } = await owner.open(path);
  expect(status, path).toBe(200);
  const [, trips, rows] = /trips=(\d+) .*rows_read=(\d+)/.exec(headers.get('X-Cost') ?? '') ?? [];
  return { trips: Number(trips), rows: Number(rows), html };
}

describe(`in a workspace with ${TASKS} tasks`, () => {
  it.each([
    ['a board', () => `/projects/${project}`],
    ['a board by deadline', () => `/projects/${project}?sort=due`],
    ['a board, newest first', () => `/projects/${project}?sort=created`],
    ['a board filtered by priority', () => `/projects/${project}?priority=high`],
    ['a board of overdue tasks', () => `/projects/${project}?due=overdue`],
    ['a board filtered by assignee', () => `/projects/${project}?assignee=me`],
    ['a board of unassigned tasks', () => `/projects/${project}?assignee=none`],
    ['the board of all tasks', () => '/board'],
    ['the board of all tasks by deadline', () => '/board?sort=due'],
    ['the board of all tasks with an expanded column', () => '/board?more=todo'],
    ['a board with an expanded column', () => `/projects/${project}?more=todo`],
    ['the board of tasks due this week', () => '/board?due=week&status=open'],
    ['the board of high-priority tasks', () => '/board?priority=high'],
    ["the board of one person's tasks", () => '/board?assignee=me'],
    ["the board of one person's tasks due this week", () => '/board?assignee=me&due=week'],
    ['the board of unassigned tasks', () => '/board?assignee=none'],
    ['the board of unassigned tasks in a project', () => `/board?assignee=none&project=${project}`],
    ['the board filtered by a common word', () => '/board?q=needle'],
    ['the board filtered by dates', () => '/board?from=2026-01-01&to=2026-12-31'],
    ['a board filtered by a common word', () => `/projects/${project}?q=needle`],
    ['a board filtered by two letters', () => `/projects/${project}?q=pl`],
    ['the list', () => '/tasks'],
    ['the list of overdue tasks', () => '/tasks?due=overdue'],
    ["the list of one person's tasks", () => '/tasks?assignee=me'],
    ['the list filtered by priority', () => '/tasks?priority=high'],
    ["the list of one person's tasks by last change", () => '/tasks?assignee=me&sort=updated'],
    ['the list of unassigned tasks', () => '/tasks?assignee=none'],
    ['the list filtered by dates', () => '/tasks?from=2026-01-01&to=2026-12-31'],
    ['the list of unassigned tasks due this week', () => '/tasks?assignee=none&due=week'],
    ['the archive', () => '/tasks?archived=true'],
    ['the archive by last change', () => '/tasks?archived=true&sort=updated'],
    ['the list by last change', () => '/tasks?sort=updated'],
    ['the list of a project by deadline', () => `/tasks?project=${project}&sort=due`],
    ['the list filtered by a common word', () => '/tasks?q=needle'],
    ['the list of a project filtered by a common word', () => `/tasks?q=needle&project=${project}`],
    ['the search for a common word', () => '/search?q=needle'],
    ['My work', () => ''],
    [
      'a quick-add preview',
      () => `/tasks/add?name=Write,+%40o,+%23p,+%2Bweb,+under+%2312&projectId=${project}`,
    ],
    ['the New task page', () => `/tasks/new?project=${project}&assignee=me`],
    ['the inbox', () => '/inbox'],
    ['the list of projects', () => '/projects'],
    ['the list of people', () => '/people'],
    ["a person's calendar", () => '/calendar'],
    ["everyone's calendar", () => '/calendar?who=all'],
    ["a week of everyone's calendar", () => '/calendar?who=all&view=week'],
    ['the calendar of a project', () => `/calendar?who=all&project=${project}`],
    ['the timeline', () => '/timeline'],
    ["one person's timeline", () => '/timeline?who=me'],
    ['the timeline of a project', () => `/timeline?project=${project}`],
    ['the dashboard', () => '/dashboard'],
    [
      'the dashboard of a team of 13 for a month',
      () => `/dashboard?team=${team}&from=2026-11-01&to=2026-11-30`,
    ],
    ['the monthly dashboard', () => '/dashboard?mode=monthly'],
    ['the dashboard of a project', () => `/dashboard?project=${project}&mode=monthly`],
    ['the dashboard of a team', () => `/dashboard?team=${team}`],
    ['the monthly dashboard of a team', () => `/dashboard?team=${team}&mode=monthly`],
    ['the dashboard of a person', () => `/dashboard?assignee=${world.crowd[7]?.userId}`],
    ['the dashboard filtered by task status', () => '/dashboard?status=in_progress'],
    ['the dashboard filtered by project status', () => '/dashboard?projectStatus=active'],
    ['the dashboard for a month', () => '/dashboard?from=2026-11-01&to=2026-11-30'],
    ['the dashboard for a year', () => '/dashboard?from=2026-01-01&to=2026-12-31'],
    ['the dashboard from a day onward', () => '/dashboard?from=2026-06-01'],
    ['the dashboard up to a day', () => '/dashboard?to=2026-11-26'],
    ['the dashboard filtered by a common word', () => '/dashboard?q=needle'],
    ['the dashboard filtered by two letters', () => '/dashboard?q=pl'],
    [
      'the dashboard of a person in a project',
      () => `/dashboard?project=${project}&assignee=${world.crowd[7]?.userId}`,
    ],
    ['the dashboard of a team in a project', () => `/dashboard?project=${project}&team=${team}`],
    [
      'the dashboard filtered by person and status',
      () => `/dashboard?assignee=${world.crowd[7]?.userId}&status=in_progress`,
    ],
    ['the dashboard filtered by team and status', () => `/dashboard?team=${team}&status=in_progress`],
    [
      'the dashboard of a person for a month',
      () => `/dashboard?assignee=${world.crowd[7]?.userId}&from=2026-11-01&to=2026-11-30`,
    ],
    [
      'the dashboard of a project for a month',
      () => `/dashboard?project=${project}&from=2026-11-01&to=2026-11-30`,
    ],
    ['the dashboard of a project filtered by a word', () => `/dashboard?project=${project}&q=needle`],
    ['the dashboard of a team filtered by a word', () => `/dashboard?team=${team}&q=needle`],
  ])('%s reads at most 1,000 rows in one database round trip', async (_name, path) => {
    const { trips, rows } = await measureCost(path());
    expect(trips).toBe(1);
    expect(rows).toBeLessThanOrEqual(ROWS_MAX);
  });

  // The index by last update isn't sorted by the filtered column, so these requests also read rows that don't match.
  it.each(['status=todo', 'priority=high', 'assignee=none'])(
    'the task list sorted by last change with the filter %s reads at most 2,500 rows',
    async (filter) => {
      const { trips, rows } = await measureCost(`/tasks?sort=updated&${filter}`);
      expect(trips).toBe(1);
      expect(rows).toBeLessThanOrEqual(2_500);
    },
  );
});

describe('search results', () => {
  const countTasks = async (query: string): Promise<number> =>
    (await api(world.people.owner.token).get(`/tasks?scope=all&search=needle${query}`)).body.meta.total;
  const readPager = async (query: string) =>
    />([\d,]+–[\d,]+ of [\d,+]+)</.exec((await owner.open(`/tasks?q=needle${query}`)).html)?.[1];
  const formatNumber = (number: number) => number.toLocaleString('en');

  it('are counted only up to the current page, and exactly on the last page', async () => {
    const total = await countTasks('');
    expect(total).toBeGreaterThan(1_000);
    expect(await readPager('')).toBe('1–50 of 50+');
    expect(await readPager('&offset=150')).toBe('151–200 of 200+');
    const last = Math.floor((total - 1) / 50) * 50;
    expect(await readPager(`&offset=${last}`)).toBe(
      `${formatNumber(last + 1)}–${formatNumber(total)} of ${formatNumber(total)}`,
    );
    expect((await owner.open('/tasks?q=needle')).html).toContain('>50+ tasks</caption>');
  });

  it('are counted exactly if there are few', async () => {
    for (const id of world.projectIds) {
      const total = await countTasks(`&projectId=${id}`);
      if (total > 50) continue;
      const { html } = await owner.open(`/tasks?q=needle&project=${id}`);
      expect(html).toContain(`>${total} tasks</caption>`);
      return;
    }
    expect.unreachable('no project has few tasks with the word');
  });

  it('are displayed in the columns of a board, up to a limit', async () => {
    const total = await countTasks(`&projectId=${project}`);
    const { html } = await owner.open(`/projects/${project}?q=needle`);
    const shown = [...html.matchAll(/<a id="task-\d+"/g)].length;
    const counted = [...html.matchAll(/<h2 id="column-\w+-name">.*?<span class="number">(\d+)<\/span>/g)];
    expect(counted.length).toBe(5);
    expect(counted.reduce((sum, [, number]) => sum + Number(number), 0)).toBe(shown);
    expect(shown).toBe(Math.min(total, SEARCH_CARDS_MAX));
    const rest = 'View all as a list';
    expect(html.includes(rest)).toBe(total > SEARCH_CARDS_MAX);
    const two = await owner.open(`/projects/${project}?q=pl`);
    expect(two.html.includes(rest)).toBe(true);
    expect([...two.html.matchAll(/<a id="task-\d+"/g)].length).toBe(SEARCH_CARDS_MAX);
  });
});
