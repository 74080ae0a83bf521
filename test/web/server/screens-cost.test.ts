// What each screen reads in a workspace of 50 projects, where every 50th task holds the same word.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FOUND_CARDS_MAX } from '../../../src/tasks/operations/cards.schema.ts';
import { api } from '../../support/api.ts';
import { BULK_TODAY, type BulkWorld, createBulkWorld } from '../../support/bulk.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { cellOf } from '../../support/env.ts';
import { createTeam } from '../../support/world.ts';
import { Screens } from './screens.ts';

const TASKS = 100_000;
const ROWS_MAX = 1_000;

let world: BulkWorld;
let owner: Screens;
/** The project with the most tasks. */
let project: number;
/** Of 13 people. */
let team: number;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${BULK_TODAY}T12:00:00Z`) });
  world = await createBulkWorld(TASKS);
  // As the cron does at midnight.
  await moveCutoffs(world, BULK_TODAY);
  // A month of days that began.
  await cellOf(0)
    .prepare(
      `INSERT OR IGNORE INTO flow_days SELECT f.ws, f.project, date(f.day, '-' || n.value || ' days'), 1, 1, 1, 1, 1
      FROM flow_days f CROSS JOIN json_each(?2) n WHERE f.ws = ?1`,
    )
    .bind(world.no, JSON.stringify(Array.from({ length: 60 }, (_, index) => index + 1)))
    .run();
  owner = await Screens.of(world, world.people.owner);
  project = world.projectIds[0] ?? 0;
  team = await createTeam(world, { members: world.crowd.slice(5, 18) });
});

afterAll(() => {
  vi.useRealTimers();
});

async function costOf(path: string) {
  // The first one wakes up what the others find awake.
  await owner.open(path);
  const { status, headers, html } = await owner.open(path);
  expect(status, path).toBe(200);
  const [, trips, rows] = /trips=(\d+) .*rows_read=(\d+)/.exec(headers.get('X-Cost') ?? '') ?? [];
  return { trips: Number(trips), rows: Number(rows), html };
}

describe(`screens among ${TASKS} tasks`, () => {
  it.each([
    ['a board', () => `/projects/${project}`],
    ['a board by deadline', () => `/projects/${project}?sort=due`],
    ['a board, newest first', () => `/projects/${project}?sort=created`],
    ['a board of one priority', () => `/projects/${project}?priority=high`],
    ['a board of what is overdue', () => `/projects/${project}?due=overdue`],
    ['a board of one person', () => `/projects/${project}?assignee=me`],
    ['a board of nobody', () => `/projects/${project}?assignee=none`],
    ['the board of everything', () => '/board'],
    ['it by deadline', () => '/board?sort=due'],
    ['a column of it, opened', () => '/board?more=todo'],
    ['a column of a board, opened', () => `/projects/${project}?more=todo`],
    ['the board of what is due this week', () => '/board?due=week&status=open'],
    ['the board of high priority', () => '/board?priority=high'],
    ['the board of one person', () => '/board?assignee=me'],
    ['the board of what is due of one person', () => '/board?assignee=me&due=week'],
    ['the board of nobody', () => '/board?assignee=none'],
    ['the board of nobody in a project', () => `/board?assignee=none&project=${project}`],
    ['the board of a common word', () => '/board?q=needle'],
    ['the board of days', () => '/board?from=2026-01-01&to=2026-12-31'],
    ['a board of what a common word finds', () => `/projects/${project}?q=needle`],
    ['a board of what two letters find', () => `/projects/${project}?q=pl`],
    ['the list', () => '/tasks'],
    ['the list of what is overdue', () => '/tasks?due=overdue'],
    ['the list of one person', () => '/tasks?assignee=me'],
    ['the list of one priority', () => '/tasks?priority=high'],
    ['the list of one person by last change', () => '/tasks?assignee=me&sort=updated'],
    ['the list of nobody', () => '/tasks?assignee=none'],
    ['the list of days', () => '/tasks?from=2026-01-01&to=2026-12-31'],
    ['the list of what nobody has to do this week', () => '/tasks?assignee=none&due=week'],
    ['the archive', () => '/tasks?archived=true'],
    ['the archive, where an address asks for the last change', () => '/tasks?archived=true&sort=updated'],
    ['the list by last change', () => '/tasks?sort=updated'],
    ['the list of a project by deadline', () => `/tasks?project=${project}&sort=due`],
    ['the list of what a common word finds', () => '/tasks?q=needle'],
    ['the same in a project', () => `/tasks?q=needle&project=${project}`],
    ['the search for a common word', () => '/search?q=needle'],
    ['my work', () => ''],
    ['what a line of text means', () => `/tasks/add?name=Write,+%40o,+%23p&projectId=${project}`],
    ['a new task', () => `/tasks/new?project=${project}&assignee=me`],
    ['the inbox', () => '/inbox'],
    ['projects', () => '/projects'],
    ['people', () => '/people'],
    ['the own calendar', () => '/calendar'],
    ['the calendar of everybody', () => '/calendar?who=all'],
    ['a week of it', () => '/calendar?who=all&view=week'],
    ['the calendar of a project', () => `/calendar?who=all&project=${project}`],
    ['the dashboard', () => '/dashboard'],
    [
      'the dashboard of a team of 13 on some days',
      () => `/dashboard?team=${team}&from=2026-11-01&to=2026-11-30`,
    ],
    ['the dashboard of a month', () => '/dashboard?mode=monthly'],
    ['the dashboard of a project', () => `/dashboard?project=${project}&mode=monthly`],
    ['the dashboard of a team', () => `/dashboard?team=${team}`],
    ['the dashboard of a team and a month', () => `/dashboard?team=${team}&mode=monthly`],
    ['the dashboard of a person', () => `/dashboard?assignee=${world.crowd[7]?.userId}`],
    ['the dashboard of a status', () => '/dashboard?status=in_progress'],
    ['the dashboard of the projects of a status', () => '/dashboard?projectStatus=active'],
    ['the dashboard of some days', () => '/dashboard?from=2026-11-01&to=2026-11-30'],
    ['the dashboard of a year', () => '/dashboard?from=2026-01-01&to=2026-12-31'],
    ['the dashboard from a day on', () => '/dashboard?from=2026-06-01'],
    ['the dashboard until a day', () => '/dashboard?to=2026-11-26'],
    ['the dashboard of a common word', () => '/dashboard?q=needle'],
    ['the dashboard of two letters', () => '/dashboard?q=pl'],
    [
      'the dashboard of a person in a project',
      () => `/dashboard?project=${project}&assignee=${world.crowd[7]?.userId}`,
    ],
    ['the dashboard of a team in a project', () => `/dashboard?project=${project}&team=${team}`],
    [
      'the dashboard of a person and a status',
      () => `/dashboard?assignee=${world.crowd[7]?.userId}&status=in_progress`,
    ],
    ['the dashboard of a team and a status', () => `/dashboard?team=${team}&status=in_progress`],
    [
      'the dashboard of a person on some days',
      () => `/dashboard?assignee=${world.crowd[7]?.userId}&from=2026-11-01&to=2026-11-30`,
    ],
    [
      'the dashboard of a project on some days',
      () => `/dashboard?project=${project}&from=2026-11-01&to=2026-11-30`,
    ],
    ['the dashboard of a word in a project', () => `/dashboard?project=${project}&q=needle`],
    ['the dashboard of a word and a team', () => `/dashboard?team=${team}&q=needle`],
  ])('%s reads at most 1,000 rows in one trip', async (_name, path) => {
    const { trips, rows } = await costOf(path());
    expect(trips).toBe(1);
    expect(rows).toBeLessThanOrEqual(ROWS_MAX);
  });

  // The index of changes knows the filter, but not in its order.
  it.each(['status=todo', 'priority=high', 'assignee=none'])(
    'the list by last change with %s reads at most 2,500 rows',
    async (filter) => {
      const { trips, rows } = await costOf(`/tasks?sort=updated&${filter}`);
      expect(trips).toBe(1);
      expect(rows).toBeLessThanOrEqual(2_500);
    },
  );
});

describe('search results', () => {
  const totalOf = async (query: string): Promise<number> =>
    (await api(world.people.owner.token).get(`/tasks?scope=all&search=needle${query}`)).body.meta.total;
  const pagerOf = async (query: string) =>
    />([\d,]+–[\d,]+ of [\d,+]+)</.exec((await owner.open(`/tasks?q=needle${query}`)).html)?.[1];
  const words = (number: number) => number.toLocaleString('en');

  it('are counted up to the page, and exactly on the last page', async () => {
    const total = await totalOf('');
    expect(total).toBeGreaterThan(1_000);
    expect(await pagerOf('')).toBe('1–50 of 50+');
    expect(await pagerOf('&offset=150')).toBe('151–200 of 200+');
    const last = Math.floor((total - 1) / 50) * 50;
    expect(await pagerOf(`&offset=${last}`)).toBe(`${words(last + 1)}–${words(total)} of ${words(total)}`);
    expect((await owner.open('/tasks?q=needle')).html).toContain('>50+ tasks</caption>');
  });

  it('are counted exactly when there are few', async () => {
    for (const id of world.projectIds) {
      const total = await totalOf(`&projectId=${id}`);
      if (total > 50) continue;
      const { html } = await owner.open(`/tasks?q=needle&project=${id}`);
      expect(html).toContain(`>${total} tasks</caption>`);
      return;
    }
    expect.unreachable('no project has few tasks with the word');
  });

  it('are shown on a board by column, with one search', async () => {
    const total = await totalOf(`&projectId=${project}`);
    const { html } = await owner.open(`/projects/${project}?q=needle`);
    const shown = [...html.matchAll(/<a id="task-\d+"/g)].length;
    const counted = [...html.matchAll(/<h2 id="column-\w+-name">.*?<span class="number">(\d+)<\/span>/g)];
    expect(counted.length).toBe(5);
    expect(counted.reduce((sum, [, number]) => sum + Number(number), 0)).toBe(shown);
    expect(shown).toBe(Math.min(total, FOUND_CARDS_MAX));
    const rest = 'View all as a list';
    expect(html.includes(rest)).toBe(total > FOUND_CARDS_MAX);
    const two = await owner.open(`/projects/${project}?q=pl`);
    expect(two.html.includes(rest)).toBe(true);
    expect([...two.html.matchAll(/<a id="task-\d+"/g)].length).toBe(FOUND_CARDS_MAX);
  });
});
