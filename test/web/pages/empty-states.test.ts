import { beforeAll, describe, expect, it } from 'vitest';
import { starterProject } from '../../../src/workspaces/directory/workspace-defaults.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createEmailAddress } from '../../support/people.ts';
import {
  createApiKey,
  createProject,
  createTask,
  createWorkspace,
  createWorld,
  type Person,
} from '../../support/world.ts';
import { readFilterErrors, WorkspaceBrowser } from '../server/workspace-browser.ts';

/** The owner of an empty workspace. */
let newOwner: WorkspaceBrowser;
/** A person with the role client in another workspace. */
let client: WorkspaceBrowser;
let project: number;
let member: Person;

beforeAll(async () => {
  const [workspace, world] = await Promise.all([
    createWorkspace({ cell: 1, members: { owner: 'owner' } }),
    createWorld({ cell: 1 }),
  ]);
  [newOwner, client] = await Promise.all([
    WorkspaceBrowser.signIn(workspace, workspace.people.owner),
    WorkspaceBrowser.signIn(world, world.people.client),
  ]);
  project = world.projects.joined.id;
  member = world.people.member;
});

describe('an empty page', () => {
  it("states that nothing exists yet, and doesn't mention roles or filters", async () => {
    const dashboard = await newOwner.open('/dashboard');
    expect(dashboard.html).toContain('Assign tasks to see');
    expect(dashboard.html).not.toContain('Your role');
    const list = await newOwner.open('/tasks');
    expect(list.html).toContain('No tasks yet.');
    expect(list.html).not.toContain('Clear filters');
    expect((await newOwner.open('/search')).html).toContain('including checklists');
  });

  it('mentions the role or the filter if it is the reason why nothing is shown', async () => {
    expect((await client.open('/dashboard')).html).toContain('Your role doesn&#39;t include');
    expect((await newOwner.open('/tasks?status=open')).html).toContain('Clear filters');
    expect((await newOwner.open('/search?q=%3Cnothing%3E')).html).toContain(
      'No results for “&lt;nothing&gt;”',
    );
  });

  it('suggests invitations only until someone is invited', async () => {
    expect((await newOwner.open('/people')).html).toContain('It&#39;s just you so far.');
    const fields = { email: createEmailAddress(), role: 'member' };
    expect((await newOwner.send('/people', '/people/invitations', fields)).status).toBe(303);
    expect((await newOwner.open('/people')).html).not.toContain('It&#39;s just you so far.');
  });
});

it("a project's task list offers to clear filters only if some are set", async () => {
  const list = `/tasks?project=${project}`;
  expect((await client.open(list)).html).not.toContain('>Clear</a>');
  const { html } = await client.open(`${list}&status=open&cols=status&q=fence`);
  expect(html).toContain(`href="${client.base}${list}&amp;cols=status">Clear</a>`);
});

it('the New project page has no form for clients, and tells them to ask a team member', async () => {
  const { status, html } = await client.open('/projects/new');
  expect(status).toBe(200);
  expect(html).toContain('Ask a team member');
  expect(html).not.toContain(`action="${client.base}/projects"`);
});

it("My work shows the first steps that the person's role allows", async () => {
  const listSteps = async (screens: WorkspaceBrowser) => {
    const { html } = await screens.open('');
    return ['Create a project', 'Invite people', 'Set your time zone', 'Create an API key'].filter((label) =>
      html.includes(label),
    );
  };
  expect(await listSteps(newOwner)).toEqual([
    'Create a project',
    'Invite people',
    'Set your time zone',
    'Create an API key',
  ]);
  expect(await listSteps(client)).toEqual(['Create an API key']);
});

it('My work checks off completed first steps, and hides the list once all of them are completed', async () => {
  const workspace = await createWorkspace({ cell: 1, members: { owner: 'owner' } });
  const { owner } = workspace.people;
  const project = await createProject(workspace, { name: starterProject.name, owner });
  const screens = await WorkspaceBrowser.signIn(workspace, owner);
  const listRemainingSteps = async () => {
    const { html } = await screens.open('');
    const [, list = ''] = html.split('id="first-steps"');
    return [...(list.split('</ul>')[0] ?? '').matchAll(/<li([^>]*)>.*?<a [^>]*>([^<]+)</g)]
      .filter(([, attributes]) => !attributes?.includes('done'))
      .map(([, , label]) => label);
  };
  const all = [
    'Create a project',
    'Invite people',
    'Set your time zone',
    'Connect an agent',
    'Create an API key',
  ];
  expect(await listRemainingSteps()).toEqual(all);
  await screens.send('/projects/new', '/projects', { name: 'First' });
  expect(await listRemainingSteps()).toEqual(all.slice(1));
  await screens.send('/people', '/people/invitations', { email: createEmailAddress(), role: 'member' });
  expect(await listRemainingSteps()).toEqual(all.slice(2));
  const settings = { name: 'Studio', timezone: 'Europe/Vienna', dailyCapacityHours: '8' };
  await screens.send('/settings', '/settings', settings);
  expect(await listRemainingSteps()).toEqual(all.slice(3));
  // The remaining steps are hidden once the person has more than three tasks.
  await createTask(owner, project.id, { assigneeId: owner.userId });
  expect(await listRemainingSteps()).toEqual(all.slice(3));
  for (let more = 0; more < 3; more += 1) await createTask(owner, project.id, { assigneeId: owner.userId });
  expect(await listRemainingSteps()).toEqual([]);
  const { data } = (await api(owner.token).get('/tasks?assigneeId=me')).body;
  for (const { id } of data) await api(owner.token).post(`/tasks/${id}/archive`);
  await createApiKey(owner);
  expect(await listRemainingSteps()).toEqual(['Connect an agent']);
  await getCell(1)
    .prepare(
      "INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at) VALUES (?, ?, ?, 'oauth', '', '', '', 1)",
    )
    .bind(crypto.randomUUID(), workspace.no, owner.member)
    .run();
  expect(await listRemainingSteps()).toEqual([]);
  expect((await screens.open('')).html.includes('Get started')).toBe(false);
});

describe('an invalid filter', () => {
  const noOne = [['filter-assignee', expect.stringContaining('This person isn&#39;t in this workspace')]];

  it.each(['/tasks?', '/board?', 'project'])('is reported next to its control on %s', async (screen) => {
    const path = screen === 'project' ? `/projects/${project}?` : screen;
    for (const id of ['usr_nobody', 'ada']) {
      const { status, html } = await client.open(`${path}assignee=${id}&priority=high`);
      expect([status, readFilterErrors(html)]).toEqual([200, noOne]);
      expect(html).toContain('<option value="high" selected="">');
      expect(html).not.toContain(`assignee=${id}`);
    }
    const { status, html } = await client.open(`${path}priority=%3Cb%3E&q=fence`);
    const message = '“&lt;b&gt;” isn&#39;t a valid value.';
    expect([status, readFilterErrors(html)]).toEqual([200, [['filter-priority', message]]]);
    expect(html).toContain('name="q" value="fence"');
  });

  it('is ignored, and the other filters still apply', async () => {
    const listTaskIds = async (query: string) =>
      [...(await client.open(`/tasks?${query}`)).html.matchAll(/name="ids" value="(\d+)"/g)].map(
        ([, id]) => id,
      );
    await createTask(member, project, { name: 'Paint the fence' });
    const open = await listTaskIds('status=open');
    expect(open.length).toBeGreaterThan(0);
    expect(await listTaskIds('status=open&assignee=usr_nobody')).toEqual(open);
    expect(await listTaskIds('status=open&project=999999999')).toEqual(open);
  });

  it('is reported in the time report and the calendar', async () => {
    const days = await client.open('/time-report?from=2026-03-02&to=2026-03-01');
    const order = [['filter-to', expect.stringContaining('The end date must be on or after the start date')]];
    expect([days.status, readFilterErrors(days.html)]).toEqual([200, order]);
    expect(days.html).toContain('value="2026-03-02"');
    const day = await client.open('/time-report?from=2026-13-01');
    expect([day.status, readFilterErrors(day.html).map(([id]) => id)]).toEqual([200, ['filter-from']]);
    const month = await client.open('/calendar?project=999999999&day=2026-03-02');
    expect([month.status, readFilterErrors(month.html).map(([id]) => id)]).toEqual([200, ['project']]);
    expect(month.html).toContain('<h1>March 2026</h1>');
  });

  it('is reported even if other filters are also invalid', async () => {
    const { status, html } = await client.open(
      '/tasks?status=nonsense&assignee=usr_nobody&project=999999999',
    );
    expect(status).toBe(200);
    expect(readFilterErrors(html).map(([id]) => id)).toEqual([
      'filter-project',
      'filter-status',
      'filter-assignee',
    ]);
    expect((await client.open(`/projects/none?assignee=usr_nobody`)).status).toBe(404);
    expect((await client.open('/tasks.csv?status=nonsense')).status).toBe(404);
  });
});
