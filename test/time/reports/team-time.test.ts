import { beforeAll, describe, expect, it } from 'vitest';
import { listTaskRows, reportTime } from '../../../src/time/reports/team-time.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createTeam, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
let task: { id: number };
let other: { id: number };

/** The minutes that each person logs on the task. */
const workedMinutes = { owner: 1, lead: 2, member: 4, client: 8 } as const;
type PersonName = keyof typeof workedMinutes;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { people, projects } = world;
  task = await createTask(people.lead, projects.joined.id, { name: 'Tracked by four' });
  other = await createTask(people.lead, projects.joined.id, { name: 'Never worked on' });
  await createTeam(world, { lead: people.lead, members: [people.member] });
  for (const [name, minutes] of Object.entries(workedMinutes) as [PersonName, number][]) {
    const startTime = '2026-06-01T08:00:00.000Z';
    const endTime = new Date(Date.parse(startTime) + minutes * 60_000).toISOString();
    const entry = { taskId: task.id, startTime, endTime };
    expect((await api(people[name].token).post('/timer/entries', entry)).status).toBe(201);
  }
});

const listTasksAs = (name: PersonName, withTracked = true) =>
  runForm(world.people[name].token, listTaskRows, { projectId: [world.projects.joined.id], withTracked });
async function sumMinutesSeenBy(name: PersonName): Promise<number> {
  const { body } = await listTasksAs(name);
  const found = body.data.find(({ id }: { id: number }) => id === task.id);
  return found.trackedSeconds / 60;
}

describe('the tracked time in a task list', () => {
  it('includes time tracked by people whose workload the caller can see', async () => {
    expect(await sumMinutesSeenBy('owner')).toBe(1 + 2 + 4 + 8);
    expect(await sumMinutesSeenBy('lead')).toBe(2 + 4);
    expect(await sumMinutesSeenBy('member')).toBe(4);
    expect(await sumMinutesSeenBy('client')).toBe(8);
  });

  it('is null unless it is requested, and 0 for tasks without time entries', async () => {
    const { body } = await listTasksAs('owner', false);
    expect(body.data.map(({ trackedSeconds }: { trackedSeconds: unknown }) => trackedSeconds)).toEqual([
      null,
      null,
    ]);
    const { body: asked, trips } = await listTasksAs('owner');
    expect(trips).toBe(1);
    expect(asked.data.find(({ id }: { id: number }) => id === other.id).trackedSeconds).toBe(0);
  });

  it('includes the time of a running timer up to now', async () => {
    const { member } = world.people;
    const startedAt = Date.now();
    await api(member.token).post('/timer/start', { taskId: other.id });
    const { body } = await listTasksAs('member');
    const seconds = (Date.now() - startedAt) / 1000;
    const running = body.data.find(({ id }: { id: number }) => id === other.id);
    await api(member.token).post('/timer/stop');
    expect(running.trackedSeconds).toBeGreaterThanOrEqual(0);
    expect(running.trackedSeconds).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  });

  it('is a column on the page and in the CSV file if the URL selects it', async () => {
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    const query = `?project=${world.projects.joined.id}&cols=tracked`;
    expect((await owner.open(`/tasks${query}`)).html).toContain('<span class="duration">0:15</span>');
    const { html: csv } = await owner.open(`/tasks.csv${query}`);
    expect(csv).toMatch(/Hours tracked/);
    expect(csv).toMatch(/Tracked by four"?,"?0\.25/);
    expect((await owner.open('/tasks')).html).not.toContain('class="duration">0:15');
  });
});

describe('the time report by project and person', () => {
  const reportAs = async (name: PersonName, days = { from: '2026-06-01', to: '2026-06-30' }, fields = {}) =>
    runForm(world.people[name].token, reportTime, { ...days, ...fields });
  const listRows = async (name: PersonName) =>
    (await reportAs(name)).body.data.map(
      (row: { project: { id: number }; person: { id: string }; seconds: number }) =>
        [row.project.id, row.person.id, row.seconds / 60] as const,
    );

  it('includes entries on the requested days by people whose workload the caller can see', async () => {
    const { people, projects } = world;
    const buildRow = (name: PersonName) => [projects.joined.id, people[name].userId, workedMinutes[name]];
    expect(await listRows('owner')).toEqual([
      buildRow('owner'),
      buildRow('lead'),
      buildRow('member'),
      buildRow('client'),
    ]);
    expect(await listRows('lead')).toEqual([buildRow('lead'), buildRow('member')]);
    expect(await listRows('member')).toEqual([buildRow('member')]);
    expect(await listRows('client')).toEqual([buildRow('client')]);
    expect((await reportAs('owner', { from: '2026-06-02', to: '2026-06-30' })).body.data).toEqual([]);
    expect((await reportAs('owner', { from: '2026-06-02', to: '2026-06-01' })).status).toBe(400);
    const second = await reportAs('owner', undefined, { limit: 1, offset: 1 });
    expect(second.body.data).toMatchObject([{ person: { id: people.lead.userId }, entries: 1 }]);
    expect(second.body.meta).toMatchObject({ total: 4, hasMore: true });
  });

  it('is available as a page with the total and as a CSV file with all rows', async () => {
    const lead = await WorkspaceBrowser.signIn(world, world.people.lead);
    const { html } = await lead.open('/time-report?from=2026-06-01');
    expect(html.match(/class="duration">[^<]+/g)).toEqual(
      ['0:02', '0:04', '0:06'].map((time) => `class="duration">${time}`),
    );
    const { html: csv } = await lead.open('/time-report.csv?from=2026-06-01');
    const [first = '', ...lines] = csv.trim().split('\r\n');
    expect(first).toContain('Project');
    expect(lines.map((text) => text.split(',').at(-2)?.replaceAll('"', ''))).toEqual(['0.03', '0.07']);
  });
});

it('a time report with more than 20,000 entries is rejected with a suggestion to choose fewer days', async () => {
  const { owner } = world.people;
  const insertEntries = (count: number) =>
    getCell(1)
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?4)
          INSERT INTO time_entries (ws, member, task, started_at, ended_at)
          SELECT ?1, ?2, ?3, 1577880000000 + i, 1577880001000 + i FROM n`,
      )
      .bind(world.no, owner.member, task.id, count)
      .run();
  const reportAs = () => runForm(owner.token, reportTime, { from: '2020-01-01', to: '2020-01-01' });
  await insertEntries(20_000);
  const whole = await reportAs();
  expect(whole.status).toBe(200);
  expect(whole.body.data).toMatchObject([{ seconds: 20_000, entries: 20_000 }]);
  await insertEntries(20_000);
  const rejected = await reportAs();
  expect(rejected.status).toBe(400);
  expect(rejected.body.error.message).toContain('Choose fewer days');
  expect(rejected.rowsRead).toBeLessThan(100_000);
});
