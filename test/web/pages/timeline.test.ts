// This file is long because its tests share a project whose tasks have every combination of dates and blockers.
import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

const MONDAY = '2027-03-01';
const DAYS = 42;

let world: World;
let lead: Person;
let joined: number;

beforeEach(async () => {
  world = await createWorld();
  ({ lead } = world.people);
  joined = world.projects.joined.id;
});

const create = async (fields: Record<string, unknown>, project = joined, person = lead) =>
  (await createTask(person, project, fields)).id;
const block = (task: number, blocker: number) =>
  api(world.people.owner.token).post(`/tasks/${task}/relations`, { type: 'blocked_by', taskId: blocker });
const open = async (query = '', person = lead) =>
  (await (await WorkspaceBrowser.signIn(world, person)).open(`/timeline?day=${MONDAY}${query}`)).html;

const findRow = (html: string, id: number) =>
  html.split('<tr').find((row) => row.includes(`id="bar-${id}"`)) ?? '';

/** Returns the lengths of the cells before, under and after a task's bar, in days. */
const readDays = (html: string, id: number) =>
  [...findRow(html, id).matchAll(/<td colspan="(\d+)"/g)].map(([, days]) => Number(days));

/** Returns a bar's name for screen readers, the ids of the tasks with arrows to it, and whether it's marked as blocked. */
function readBar(html: string, id: number) {
  const row = findRow(html, id);
  const [, label] = /aria-label="([^"]*)"/.exec(row) ?? [];
  const [, blockers] = /data-blockers="([^"]*)"/.exec(row) ?? [];
  return { label, blockers, isMarkedBlocked: row.includes('Blocked</span>') };
}

describe('the timeline', () => {
  it('shows each task from its start date to its deadline', async () => {
    const spanning = await create({ name: 'Spanning', startDate: '2027-03-03', deadline: '2027-03-05' });
    const single = await create({ name: 'Single', deadline: MONDAY });
    const earlier = await create({ name: 'Earlier', startDate: '2027-02-01', deadline: '2027-03-02' });
    const last = await create({ name: 'Last', deadline: '2027-04-11' });
    const later = await create({ name: 'Later', startDate: '2027-04-05', deadline: '2027-06-30' });
    const endless = await create({ name: 'Endless', startDate: '2020-01-01', deadline: '2035-01-01' });
    const html = await open();
    expect(readDays(html, spanning)).toEqual([2, 3, DAYS - 5]);
    expect(readDays(html, single)).toEqual([1, DAYS - 1]);
    expect(readDays(html, earlier)).toEqual([2, DAYS - 2]);
    expect(readDays(html, last)).toEqual([DAYS - 1, 1]);
    expect(readDays(html, later)).toEqual([DAYS - 7, 7]);
    expect(readDays(html, endless)).toEqual([DAYS]);
    expect(readBar(html, spanning).label).toBe('Spanning, 3 Mar 2027 to 5 Mar 2027, To do');
    expect(readBar(html, single).label).toBe('Single, due 1 Mar 2027, To do');
  });

  it('leaves out tasks without a deadline, archived tasks, and tasks before or after the period', async () => {
    await create({ name: 'No deadline', startDate: MONDAY });
    await create({ name: 'Before', deadline: '2027-02-28' });
    await create({ name: 'After', deadline: '2027-04-12' });
    await create({ name: 'Starts after', startDate: '2027-04-12', deadline: '2027-05-01' });
    const archived = await create({ name: 'Archived', deadline: MONDAY });
    await api(lead.token).post(`/tasks/${archived}/archive`);
    const html = await open();
    expect(html).toContain('No tasks from 1 Mar 2027 to 11 Apr 2027.');
    expect(html).not.toContain('Drag a bar');
  });

  it("uses the project's own names for statuses", async () => {
    const screens = await WorkspaceBrowser.signIn(world, lead);
    const columns = { column: 'todo', label: 'Planned', isHidden: 'false', limit: '' };
    await screens.send(`/projects/${joined}/settings`, `/projects/${joined}/columns`, columns);
    const id = await create({ name: 'One', deadline: MONDAY });
    expect(readBar(await open(`&project=${joined}`), id).label).toBe('One, due 1 Mar 2027, Planned');
  });

  it('connects a task only with the open, listed tasks that block it', async () => {
    const first = await create({ name: 'First', deadline: '2027-03-02' });
    const second = await create({ name: 'Second', deadline: '2027-03-03' });
    const unlisted = await create({ name: 'Unlisted' });
    const blocked = await create({ name: 'Last', deadline: '2027-03-04' });
    for (const each of [first, second, unlisted]) await block(blocked, each);
    const readBlocked = async () => readBar(await open(), blocked);
    const label = 'Last, due 4 Mar 2027, To do';
    expect(await readBlocked()).toEqual({
      label: `${label}, blocked by First, Second`,
      blockers: `${first} ${second}`,
      isMarkedBlocked: true,
    });
    const complete = (id: number) => api(lead.token).patch(`/tasks/${id}`, { status: 'completed' });
    await complete(first);
    expect((await readBlocked()).blockers).toBe(String(second));
    await complete(second);
    expect(await readBlocked()).toEqual({
      label: `${label}, blocked`,
      blockers: undefined,
      isMarkedBlocked: true,
    });
    await complete(unlisted);
    expect(await readBlocked()).toEqual({ label, blockers: undefined, isMarkedBlocked: false });
  });

  it("doesn't show a completed task as blocked", async () => {
    const first = await create({ name: 'First', deadline: '2027-03-02' });
    const done = await create({ name: 'Done', deadline: '2027-03-03' });
    await block(done, first);
    await api(lead.token).patch(`/tasks/${done}`, { status: 'completed' });
    expect(readBar(await open(), done)).toEqual({
      label: 'Done, due 3 Mar 2027, Completed',
      blockers: undefined,
      isMarkedBlocked: false,
    });
  });

  it("doesn't reveal to a client whether a task that they can't see still blocks another task", async () => {
    const { owner, client } = world.people;
    const visible = await create({ name: 'Visible', deadline: '2027-03-02' });
    const hidden = await create({ name: 'Hidden', deadline: '2027-03-02' }, world.projects.other.id, owner);
    const blocked = await create({ name: 'Last', deadline: '2027-03-04' });
    await block(blocked, visible);
    await block(blocked, hidden);
    await api(lead.token).patch(`/tasks/${visible}`, { status: 'completed' });
    const readAll = async () => {
      const html = await open('', client);
      return [visible, hidden, blocked].map((id) => readBar(html, id));
    };
    const before = await readAll();
    expect(before[1]?.label).toBeUndefined();
    await api(owner.token).patch(`/tasks/${hidden}`, { status: 'completed' });
    expect(await readAll()).toEqual(before);
  });

  it('can be filtered by project and by assignee', async () => {
    const { owner } = world.people;
    const mine = await create({ name: 'Mine', deadline: MONDAY, assigneeId: lead.userId });
    const elsewhere = await create({ name: 'Elsewhere', deadline: MONDAY }, world.projects.other.id, owner);
    const listShown = async (query: string, person: Person) => {
      const html = await open(query, person);
      return [mine, elsewhere].filter((id) => findRow(html, id) !== '');
    };
    expect(await listShown('', owner)).toEqual([mine, elsewhere]);
    expect(await listShown(`&project=${joined}`, owner)).toEqual([mine]);
    expect(await listShown('&who=me', lead)).toEqual([mine]);
  });

  it('loads the pickers that its filters and shortcuts open', async () => {
    expect(await open()).toContain('class="pickers"');
  });

  it("keeps the weeks and filters in the calendar's tabs", async () => {
    const screens = await WorkspaceBrowser.signIn(world, lead);
    const findTab = async (path: string, tab: string) => {
      const { html } = await screens.open(path);
      const [, href = ''] =
        new RegExp(`<a href="[^"]*(/(?:calendar|timeline)[^"]*)"[^>]*>${tab}</a>`).exec(html) ?? [];
      return href.replaceAll('&amp;', '&');
    };
    expect(await findTab('/calendar?day=2027-03-04', 'Timeline')).toBe('/timeline?who=me&day=2027-03-04');
    expect(await findTab('/calendar?who=all', 'Timeline')).toBe('/timeline');
    expect(await findTab('/timeline?day=2027-03-04&who=me', 'Week')).toBe(
      '/calendar?view=week&day=2027-03-04',
    );
    expect(await findTab('/timeline', 'Month')).toBe('/calendar?view=month&who=all');
  });

  it.each([
    ['0000-01-01', '29 Dec 1969', ['later']],
    ['1970-01-01', '29 Dec 1969', ['later']],
    ['9999-11-15', '15 Nov 9999', ['earlier']],
    ['9999-12-31', '15 Nov 9999', ['earlier']],
  ])('shows the supported week nearest %s, and links only to supported weeks', async (day, monday, links) => {
    await create({ name: 'Always', startDate: '0001-01-01', deadline: '9999-12-31' });
    const screens = await WorkspaceBrowser.signIn(world, lead);
    const { status, html } = await screens.open(`/timeline?day=${day}`);
    expect(status).toBe(200);
    expect(/<th scope="colgroup"[^>]*>([^<]*)</.exec(html)?.[1]).toBe(monday);
    expect(['earlier', 'later'].filter((id) => html.includes(`<a id="${id}"`))).toEqual(links);
  });

  it('moves a task with its form, which can be undone', async () => {
    const id = await create({ startDate: '2027-03-01', deadline: '2027-03-03' });
    const screens = await WorkspaceBrowser.signIn(world, lead);
    const moved = await postMove(screens, id, { startDate: '2027-03-04', deadline: '2027-03-06' });
    expect(moved.status).toBe(303);
    expect(await readDates(id)).toEqual(['2027-03-04', '2027-03-06']);
    const { html } = await screens.open(`/timeline?day=${MONDAY}`);
    expect(html).toContain('Deadline: ');
    await screens.post('/undo', readHiddenFields(html, `${screens.base}/undo`));
    expect(await readDates(id)).toEqual(['2027-03-01', '2027-03-03']);
  });

  it('rejects a move if someone else has moved the task, and says so in plain words', async () => {
    const id = await create({ startDate: '2027-03-01', deadline: '2027-03-03' });
    const screens = await WorkspaceBrowser.signIn(world, lead);
    const page = await screens.open(`/timeline?day=${MONDAY}`);
    await api(world.people.owner.token).patch(`/tasks/${id}`, { deadline: '2027-03-20' });
    const dates = { startDate: '2027-03-02', deadline: '2027-03-04' };
    const rejected = await postMove(screens, id, dates, page.html);
    expect(rejected.status).toBe(412);
    const [, alert = ''] = /role="alert"[^>]*>([^<]*)</.exec(rejected.html) ?? [];
    expect(alert).toBe(
      `${world.people.owner.name} changed this to “Saturday, 20 March 2027”. Save again to overwrite it.`,
    );
    expect(rejected.html).not.toContain('>startDate<');
    expect(readDays(rejected.html, id)).toEqual([20, DAYS - 20]);
    expect(await readDates(id)).toEqual(['2027-03-01', '2027-03-20']);
    expect((await postMove(screens, id, dates, rejected.html)).status).toBe(303);
    expect(await readDates(id)).toEqual(['2027-03-02', '2027-03-04']);
  });

  it('shows at most 100 tasks, and links to a list of all tasks with the same filters', async () => {
    const tasks = Array.from({ length: 101 }, () => ({
      projectId: joined,
      name: 'One of many',
      deadline: MONDAY,
      assigneeId: lead.userId,
    }));
    for (const part of [tasks.slice(0, 100), tasks.slice(100)])
      await api(lead.token).post('/tasks/bulk', { tasks: part });
    const html = await open(`&project=${joined}&who=me`);
    expect(html.match(/id="bar-/g)).toHaveLength(100);
    const [, href = ''] = /<a href="[^"]*\/tasks\?([^"]*)">View all as a list/.exec(html) ?? [];
    expect(Object.fromEntries(new URLSearchParams(href.replaceAll('&amp;', '&')))).toEqual({
      sort: 'due',
      from: MONDAY,
      to: '2027-04-11',
      project: String(joined),
      assignee: 'me',
    });
  });
});

/** Submits the timeline's form as its script does. */
async function postMove(
  screens: WorkspaceBrowser,
  id: number,
  dates: { startDate: string; deadline: string },
  html?: string,
) {
  const page = html ?? (await screens.open(`/timeline?day=${MONDAY}`)).html;
  const [, shown = ''] = /data-snapshot="([^"]*)"/.exec(findRow(page, id)) ?? [];
  const fields = readHiddenFields(page, `${screens.base}/tasks/0`, { deadline: '' });
  return screens.post(`/tasks/${id}`, { ...fields, shown, ...dates });
}

async function readDates(id: number): Promise<unknown[]> {
  const { startDate, deadline } = (await api(lead.token).get(`/tasks/${id}`)).body;
  return [startDate, deadline];
}
