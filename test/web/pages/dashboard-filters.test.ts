// This file is long because all filters of the dashboard are tested in one small workspace. dashboard-oracle.test.ts
// compares the numbers with those of the API.
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../src/kernel/dates/civil-date.ts';
import { api } from '../../support/api.ts';
import { createTask, createTeam, createWorld, type Person, type World } from '../../support/world.ts';
import { readFilterErrors, WorkspaceBrowser } from '../server/workspace-browser.ts';
import { readDashboard } from './dashboard-page.ts';

const today = new Date().toISOString().slice(0, 10);
const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)];

let world: World;
let owner: WorkspaceBrowser;
let team: number;
const tasks: Record<'draft' | 'late' | 'elsewhere', number> = { draft: 0, late: 0, elsewhere: 0 };
let commentId: number;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { people, projects } = world;
  const { joined, other } = projects;
  const createTaskId = async (projectId: number, fields: Record<string, unknown>) =>
    (await createTask(people.owner, projectId, fields)).id;
  const [member, lead] = [people.member.userId, people.lead.userId];
  tasks.draft = await createTaskId(joined.id, { name: 'A draft', assigneeId: member, deadline: today });
  tasks.late = await createTaskId(joined.id, {
    name: 'Late',
    assigneeId: lead,
    deadline: yesterday,
    status: 'in_progress',
  });
  tasks.elsewhere = await createTaskId(other.id, {
    name: 'Other draft',
    deadline: tomorrow,
    status: 'completed',
  });
  const comment = await api(people.owner.token).post(`/tasks/${tasks.draft}/comments`, { content: 'Agreed' });
  commentId = comment.body.id;
  team = await createTeam(world, { members: [people.member] });
  owner = await WorkspaceBrowser.signIn(world, people.owner);
});

async function openDashboard(query: Record<string, string>, screens = owner) {
  const { status, html } = await screens.open(`/dashboard?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(query)).toBe(200);
  return { ...readDashboard(html), html };
}

async function readCounts(query: Record<string, string>, screens = owner) {
  const { tiles, due } = await openDashboard(query, screens);
  const { Projects, Overdue, 'Due today': dueToday } = tiles;
  return { projects: Projects.count, overdue: Overdue.count, today: dueToday.count, due: due.ids };
}

describe('the dashboard filtered', () => {
  it('by nothing shows everything', async () => {
    expect(await readCounts({})).toEqual({
      projects: 2,
      overdue: 1,
      today: 1,
      due: [tasks.draft, tasks.elsewhere],
    });
    const { hours, comments } = await openDashboard({});
    expect(Object.keys(hours).sort()).toEqual([world.people.lead.name, world.people.member.name].sort());
    expect(comments).toEqual([commentId]);
  });

  it("by person shows the person's tasks, the comments on them, and the person's hours", async () => {
    const { member, lead } = world.people;
    expect(await readCounts({ assignee: member.userId })).toEqual({
      projects: 1,
      overdue: 0,
      today: 1,
      due: [tasks.draft],
    });
    const ofMember = await openDashboard({ assignee: member.userId });
    expect(Object.keys(ofMember.hours)).toEqual([member.name]);
    expect(ofMember.comments).toEqual([commentId]);
    expect((await openDashboard({ assignee: lead.userId })).comments).toEqual([]);
    expect(ofMember.html).toContain(`<option value="${member.userId}" selected="">${member.name}</option>`);
  });

  it('by "me" shows 0 hours for people without open tasks', async () => {
    const { hours, due } = await openDashboard({ assignee: 'me' });
    expect(due.ids).toEqual([]);
    expect(Object.entries(hours)).toEqual([[world.people.owner.name, expect.stringMatching(/^0 \//)]]);
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    expect((await readCounts({ assignee: 'me' }, member)).due).toEqual([tasks.draft]);
  });

  it("by team shows the tasks and hours of the team's members", async () => {
    expect(await readCounts({ team: String(team) })).toMatchObject({
      overdue: 0,
      today: 1,
      due: [tasks.draft],
    });
    expect(Object.keys((await openDashboard({ team: String(team) })).hours)).toEqual([
      world.people.member.name,
    ]);
    const none = { team: String(team), assignee: world.people.lead.userId };
    expect(await readCounts(none)).toEqual({ projects: 0, overdue: 0, today: 0, due: [] });
  });

  it("by status counts tasks with that status, including completed tasks, and shows which sections can't be filtered by status", async () => {
    expect(await readCounts({ status: 'in_progress' })).toMatchObject({ overdue: 1, today: 0, due: [] });
    expect(await readCounts({ status: 'completed' })).toMatchObject({ projects: 1, due: [tasks.elsewhere] });
    const { texts, hours, comments } = await openDashboard({ status: 'todo' });
    expect([hours, comments]).toEqual([{}, []]);
    for (const part of ['workload', 'flow', 'comments'] as const)
      expect(texts[part]).toMatch(/can't be filtered by status\./);
  });

  it('by project status shows only the counts, hours and comments of projects with that status', async () => {
    expect(await readCounts({ projectStatus: 'active' })).toMatchObject({
      projects: 2,
      overdue: 1,
      today: 1,
    });
    expect(await readCounts({ projectStatus: 'planned' })).toEqual({
      projects: 0,
      overdue: 0,
      today: 0,
      due: [],
    });
    const active = await openDashboard({ projectStatus: 'active' });
    expect(Object.keys(active.hours)).toHaveLength(2);
    expect(active.comments).toEqual([commentId]);
    const planned = await openDashboard({ projectStatus: 'planned' });
    expect([planned.hours, planned.comments]).toEqual([{}, []]);
    expect(planned.texts.flow).toMatch(/can't be filtered by project status\./);
  });

  it('by date shows only the deadlines, comments and hours on those dates', async () => {
    const openPeriod = (from: string, to: string) => openDashboard({ from, to });
    const ahead = await openPeriod(tomorrow, addDays(today, 3));
    expect(ahead.tiles.Overdue).toMatchObject({ count: 0, to: null });
    expect([ahead.due.ids, ahead.comments]).toEqual([[tasks.elsewhere], []]);
    const now = await openPeriod(yesterday, today);
    expect(now.due.ids).toEqual([tasks.late, tasks.draft]);
    expect(now.tiles.Overdue.count).toBe(1);
    expect(now.comments).toEqual([commentId]);
    expect(now.hours[world.people.lead.name]).toMatch(/^1 \//);
    expect(now.texts.flow).toMatch(/can't be filtered by date\./);
    expect((await openDashboard({ to: yesterday })).due.ids).toEqual([tasks.late]);
    expect((await openDashboard({ from: tomorrow })).due.ids).toEqual([tasks.elsewhere]);
  });

  it('by date shows no hours for periods of more than two months', async () => {
    const { hours, texts } = await openDashboard({ from: '2026-01-01', to: '2026-12-31' });
    expect(hours).toEqual({});
    expect(texts.workload).toContain('up to two months');
  });

  it('by text shows only tasks and comments that contain it', async () => {
    const draft = await openDashboard({ q: 'draft' });
    expect(draft.due.ids).toEqual([tasks.draft, tasks.elsewhere]);
    expect(draft.comments).toEqual([]);
    expect(draft.texts.comments).toContain('No matching comments.');
    expect(draft.texts.workload).toMatch(/can't be filtered by text\./);
    expect((await openDashboard({ q: 'agreed' })).comments).toEqual([commentId]);
  });

  it('shows the name of the selected team even if the shortened list omits it', async () => {
    const many = await createWorld({ cell: 1 });
    const last = await createTeam(many, { name: 'Zebras', members: [many.people.member] });
    for (let no = 0; no < 100; no += 1) await createTeam(many, { name: `Antelopes ${no}` });
    const screens = await WorkspaceBrowser.signIn(many, many.people.owner);
    const { html } = await openDashboard({ team: String(last) }, screens);
    expect(html).toContain(`<option value="${last}" selected="">Zebras</option>`);
  });
});

describe('the task list linked from a number on the dashboard', () => {
  it('keeps every dashboard filter that task lists support, and contains that number of tasks', async () => {
    const { member } = world.people;
    const query = {
      q: 'draft',
      project: String(world.projects.joined.id),
      assignee: member.userId,
      status: 'todo',
    };
    const { tiles, due } = await openDashboard(query);
    for (const { count, to } of [tiles['Due today'], tiles['Due this week'], due.total]) {
      const address = new URL(to as string, 'http://localhost');
      expect(Object.fromEntries(address.searchParams)).toMatchObject(query);
      const { status, html } = await owner.open(`/tasks${address.search}`);
      expect(status).toBe(200);
      expect(count).toBe(1);
      expect([...html.matchAll(/<tr id="task-(\d+)"/g)].map(([, id]) => Number(id))).toEqual([tasks.draft]);
    }
  });

  it('is limited to the days that the dashboard filter includes', async () => {
    const { tiles, due } = await openDashboard({ from: addDays(today, -3), to: today });
    const readDays = (to: string | null) => {
      const { searchParams } = new URL(to as string, 'http://localhost');
      return [searchParams.get('from'), searchParams.get('to')];
    };
    expect(readDays(tiles.Overdue.to)).toEqual([addDays(today, -3), yesterday]);
    expect(readDays(tiles['Due this week'].to)).toEqual([today, today]);
    expect(readDays(due.total.to)).toEqual([addDays(today, -3), today]);
  });
});

describe('an invalid dashboard filter', () => {
  it('is shown with its value and an error next to its field, and the rest of the page is still shown', async () => {
    for (const path of ['/dashboard', '/tasks']) {
      const { status, html } = await owner.open(`${path}?from=${tomorrow}&to=${yesterday}`);
      expect(status, path).toBe(200);
      const field = /<input type="date" id="filter-to"[^>]*>/.exec(html)?.[0];
      expect(field).toContain(`value="${yesterday}"`);
      expect(field).toContain('aria-describedby="filter-to-problem" aria-invalid="true"');
      expect(html.includes('The end date must be on or after the start date.')).toBe(true);
      expect(html.includes(`name="from" value="${tomorrow}"`)).toBe(true);
      expect(html.includes(`/tasks/${tasks.elsewhere}`)).toBe(true);
      expect(html.includes(`href="${owner.base}/tasks/${tasks.late}"`)).toBe(false);
    }
  });

  it.each([
    ['a person in another workspace', 'assignee', (other: World) => other.people.member.userId],
    ['a malformed person id', 'assignee', () => "x' OR 1=1 --"],
    ['a project in another workspace', 'project', (other: World) => String(other.projects.joined.id)],
    ['a project name instead of an id', 'project', () => 'Garden'],
    ['an unknown project status', 'projectStatus', () => '<b>none</b>'],
    ['an unknown task status', 'status', () => 'nonsense'],
    ['an unknown team', 'team', () => '1'],
    ['an impossible day', 'from', () => '2026-13-01'],
    ['an unknown workload period', 'mode', () => 'yearly'],
  ])(
    'by %s causes an error message next to its control, and the other filters still apply',
    async (_name, filter, named) => {
      const other = await createWorld({ cell: 1 });
      await createTask(other.people.owner, other.projects.joined.id, {
        name: 'Of others',
        assigneeId: other.people.member.userId,
        deadline: today,
      });
      const query = { [filter]: named(other) };
      expect(await readCounts({ ...query, q: 'draft' })).toEqual(await readCounts({ q: 'draft' }));
      const { html, comments, hours } = await openDashboard(query);
      const usual = await openDashboard({});
      expect([comments, hours]).toEqual([usual.comments, usual.hours]);
      expect(readFilterErrors(html)).toEqual([[`filter-${filter}`, expect.stringMatching(/\w/)]]);
      expect(/Of others|<b>none<\/b>|Unknown/.test(html)).toBe(false);
    },
  );

  it('is reported if its text is too long', async () => {
    const { html } = await openDashboard({ q: 'x'.repeat(201) });
    expect(html).toMatch(/role="alert">[^<]*isn(?:'|&#39;)t a valid value/);
  });
});

describe("each role's dashboard filters", () => {
  const openScreens = (person: Person) => WorkspaceBrowser.signIn(world, person);

  it('let a client filter their own projects, but show no hours or comments', async () => {
    const client = await openScreens(world.people.client);
    const query = { assignee: world.people.member.userId };
    expect(await readCounts(query, client)).toEqual({
      projects: 1,
      overdue: 0,
      today: 1,
      due: [tasks.draft],
    });
    const { texts, comments, hours } = await openDashboard(query, client);
    expect([comments, hours, texts.comments]).toEqual([[], {}, '']);
    expect(texts.workload).toContain("Your role doesn't include access to other people's hours.");
    const { id } = world.projects.other;
    const { html, due } = await openDashboard({ project: String(id) }, client);
    expect(readFilterErrors(html).map(([field]) => field)).toEqual(['filter-project']);
    expect(due.ids).toEqual([tasks.draft]);
  });

  it("let a member filter by another person, but show only tasks in shared projects and not the person's hours", async () => {
    const member = await openScreens(world.people.member);
    const query = { assignee: world.people.lead.userId };
    expect(await readCounts(query, member)).toMatchObject({ projects: 1, overdue: 1 });
    const { hours, texts } = await openDashboard(query, member);
    expect(hours).toEqual({});
    expect(texts.workload).toContain('No open tasks for people whose hours you can see.');
  });

  it('show the name of a former member who is selected', async () => {
    const other = await createWorld({ cell: 1 });
    const { owner: boss, member } = other.people;
    await createTask(boss, other.projects.joined.id, {
      assigneeId: member.userId,
      deadline: today,
      status: 'completed',
    });
    const screens = await WorkspaceBrowser.signIn(other, boss);
    const removed = await screens.send(`/people?about=${member.userId}`, `/people/${member.userId}/remove`);
    expect(removed.status).toBe(303);
    const { html, due } = await openDashboard({ assignee: member.userId }, screens);
    expect(html).toContain(`<option value="${member.userId}" selected="">${member.name}</option>`);
    expect(due.ids).toHaveLength(1);
  });
});
