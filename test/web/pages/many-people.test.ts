// This file is long because its tests share workspaces with more people and projects than a list displays.
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createTeam, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

const PEOPLE = 300;
let world: World;
let owner: WorkspaceBrowser;
let lastPersonId: string;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { member } = world.people.member;
  // The names of these people sort after everyone else's.
  await getCell(1)
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO members (no, ws, user_id, role, name, email, email_key, cells, created_at)
      SELECT 9000000 + i, ws, 'usr_many' || i, 'member', CASE i WHEN 300 THEN 'Żoe Last' ELSE 'Zed ' || (i / 2) END,
        'zed' || i || '@many.test', 'zed' || i || '@many.test', cells, created_at
      FROM n, members WHERE no = ?`,
    )
    .bind(PEOPLE, member)
    .run();
  lastPersonId = `usr_many${PEOPLE}`;
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
});

const readTask = async (id: number) => (await api(world.people.owner.token).get(`/tasks/${id}`)).body;
const createTaskAsOwner = () => createTask(world.people.owner, world.projects.joined.id);

describe('the search field for people', () => {
  it('accepts an email address, a name or part of a name', async () => {
    for (const text of [
      `ZED${PEOPLE}@many.test`,
      'Żoe Last',
      'oe las',
      `Żoe Last <zed${PEOPLE}@many.test>`,
    ]) {
      const { id } = await createTaskAsOwner();
      const page = `/tasks/${id}`;
      const sent = { 'find-assigneeId': text, assigneeId: '' };
      expect((await owner.send(page, page, sent)).status).toBe(303);
      expect((await readTask(id)).assignee).toMatchObject({ id: lastPersonId, name: 'Żoe Last' });
      const { html } = await owner.open(page);
      expect(html).toContain(`<option value="${lastPersonId}" selected="">Żoe Last</option>`);
      expect(html).toContain('set the assignee to <bdi>Żoe Last</bdi>');
    }
  });

  it('limits the number and length of names in a form', async () => {
    const { id } = await createTaskAsOwner();
    const page = `/tasks/${id}`;
    const own = readHiddenFields((await owner.open(page)).html, owner.base + page, { assigneeId: '' });
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`find-${index}`, 'z']));
    const expectRejection = async (sent: Record<string, string>) => {
      const { status, html } = await owner.post(page, { ...own, assigneeId: '', ...sent });
      expect(status).toBe(400);
      return html;
    };
    await expectRejection(many);
    expect(await expectRejection({ 'find-assigneeId': 'Z'.repeat(201) })).toContain(
      'Enter at most 5 names at a time',
    );
    expect((await readTask(id)).assignee).toBeNull();
  });

  it('shows an error, keeps the text and changes nothing if a name matches no one or several people', async () => {
    const { id } = await createTaskAsOwner();
    const page = `/tasks/${id}`;
    for (const [text, expected] of [
      [
        'Zed 7',
        'Several people match: Zed 7 &lt;zed14@many.test&gt;, Zed 7 &lt;zed15@many.test&gt;. Type an email address.',
      ],
      ['zed', ' and others. Type an email address.'],
      ['Nobody "here"', 'No one matches “Nobody &quot;here&quot;”.'],
    ] as const) {
      const answer = await owner.send(page, page, { 'find-assigneeId': text, assigneeId: '' });
      expect(answer.status).toBe(400);
      expect(answer.html).toContain(expected);
      expect(answer.html).toContain(`value="${text.replaceAll('"', '&quot;')}"`);
    }
    expect((await readTask(id)).assignee).toBeNull();
  });

  it("works in the project settings, the bulk edit bar and the task list's filter", async () => {
    const { id } = await createTaskAsOwner();
    const project = world.projects.joined.id;
    await owner.send(`/projects/${project}/settings`, `/projects/${project}/people`, {
      'find-userIds': 'Żoe Last',
      userIds: '',
    });
    const { body } = await api(world.people.owner.token).get(`/projects/${project}/members`);
    expect(body.data.map((each: { id: string }) => each.id)).toContain(lastPersonId);
    const bar = await owner.post('/tasks/bulk', {
      ...readHiddenFields((await owner.open('/tasks')).html, `${owner.base}/tasks/bulk`),
      ids: String(id),
      'find-assignee': 'Żoe Last',
    });
    expect(bar.status).toBe(303);
    expect((await readTask(id)).assignee).toMatchObject({ id: lastPersonId });
    const { browser, base } = owner;
    const filtered = await browser.request(`${base}/tasks?q=&find-assignee=oe+las&status=todo`, {});
    expect([filtered.status, filtered.headers.get('Location')]).toEqual([
      303,
      `${base}/tasks?q=&status=todo&assignee=${lastPersonId}`,
    ]);
    const shown = await owner.open(`/tasks?status=todo&assignee=${lastPersonId}`);
    expect(shown.html).toContain(`<option value="${lastPersonId}" selected="">Żoe Last</option>`);
    expect(shown.html).toContain(`/tasks/${id}"`);
    const unclear = await owner.open('/tasks?find-assignee=Zed+7');
    expect(unclear.html).toContain('Several people match: ');
    const completed = await owner.open('/people/find?q=oe+la');
    expect(completed.html.match(/data-found="[^"]*"/g)).toEqual([`data-found="${lastPersonId}"`]);
  });

  it("isn't shown if everyone fits in the list", async () => {
    const small = await createWorld({ cell: 1 });
    const screens = await WorkspaceBrowser.signIn(small, small.people.owner);
    await createTeam(small, { members: [small.people.member] });
    const { id } = await createTask(small.people.owner, small.projects.joined.id);
    for (const page of [
      `/tasks/${id}`,
      '/tasks',
      '/teams',
      '/people',
      `/projects/${small.projects.joined.id}`,
    ]) {
      const { status, html } = await screens.open(page);
      // The filter by parent always has a search field, because it lists no tasks.
      const found = html.replaceAll('find-task-', '').includes('find-');
      expect([page, status, found]).toEqual([page, 200, false]);
    }
  });
});

describe('the search field for projects', () => {
  let large: World;
  let screens: WorkspaceBrowser;
  let zoo: number;
  let twin: number;

  beforeAll(async () => {
    large = await createWorld({ cell: 1 });
    screens = await WorkspaceBrowser.signIn(large, large.people.owner);
    expect((await screens.open('/tasks')).html.includes('find-project-')).toBe(false);
    // The list displays the newest projects. Tests search for a project that is too old to be displayed, and for one of
    // two projects with the same name.
    await getCell(1)
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO projects (ws, name, status, owner, created_at)
        SELECT ws, CASE i WHEN 1 THEN 'Żoo of Lodz' WHEN 2 THEN 'Twin' WHEN 3 THEN 'Twin' ELSE 'Filler ' || i END,
          status, owner, created_at FROM n, projects WHERE id = ? ORDER BY i`,
      )
      .bind(large.projects.joined.id)
      .run();
    await getCell(1)
      .prepare(
        "INSERT OR IGNORE INTO project_members (project, member) SELECT id, ?2 FROM projects WHERE ws = ?1 AND name <> 'Twin'",
      )
      .bind(large.no, large.people.owner.member)
      .run();
    const { results } = await getCell(1)
      .prepare("SELECT id, name FROM projects WHERE ws = ? AND name IN ('Żoo of Lodz', 'Twin') ORDER BY id")
      .bind(large.no)
      .all<{ id: number; name: string }>();
    [zoo = 0, , twin = 0] = results.map(({ id }) => id);
  });

  const followFilter = async (path: string, text: string, query = '', field = 'project') => {
    const parameters = new URLSearchParams({ [`find-project-${field}`]: text });
    const answer = await screens.browser.request(
      `${screens.base}${path}?${field}=&${parameters}${query}`,
      {},
    );
    return [answer.status, answer.headers.get('Location')];
  };

  it('accepts a name, part of a name or a number on the task list, the calendar and the dashboard', async () => {
    for (const path of ['/tasks', '/calendar', '/dashboard']) {
      const { html } = await screens.open(path);
      expect(html).toContain('name="find-project-project"');
      for (const text of ['Żoo of Lodz', 'oo OF lod', `Żoo of Lodz #${zoo}`, `#${zoo}`])
        expect(await followFilter(path, text)).toEqual([303, `${screens.base}${path}?project=${zoo}`]);
      expect(await followFilter(path, `Twin #${twin}`)).toEqual([
        303,
        `${screens.base}${path}?project=${twin}`,
      ]);
      const shown = await screens.open(`${path}?project=${zoo}`);
      expect(shown.html).toContain(`<option value="${zoo}" selected="">Żoo of Lodz</option>`);
    }
    expect((await screens.open(`/tasks?project=${zoo}`)).html).toContain('<h1><bdi>Żoo of Lodz</bdi></h1>');
    const unclear = await screens.open('/tasks?find-project-project=twin');
    expect(unclear.html).toContain(`Several projects match: Twin #`);
    const unknown = await screens.open('/tasks?find-project-project=nowhere');
    expect(unknown.html).toContain('No project matches “nowhere”.');
    const found = await screens.open('/projects/find?q=lodz');
    expect(found.html.match(/data-value="[^"]*"/g)).toEqual([`data-value="Żoo of Lodz #${zoo}"`]);
  });

  it('works in the forms for meetings, webhooks, tasks and invitations', async () => {
    const plan = '/meetings/new';
    const at = { date: '2026-12-01', time: '10:00', minutes: '30' };
    const when = `&${new URLSearchParams(at)}`;
    expect(await followFilter(plan, 'oo of lodz', when, 'projectId')).toEqual([
      303,
      `${screens.base}${plan}?projectId=${zoo}${when}`,
    ]);
    const chosen = await screens.open(`${plan}?projectId=${zoo}${when}`);
    expect(chosen.html).toContain(`<option value="${zoo}" selected="">Żoo of Lodz</option>`);
    const meeting = await screens.send(`${plan}?projectId=${zoo}${when}`, '/meetings', {
      name: 'Feeding',
      projectId: '',
      'find-project-projectId': `#${zoo}`,
      ...at,
      participantIds: large.people.owner.userId,
    });
    expect(meeting.status).toBe(303);
    const foreign = await screens.open(`${plan}?projectId=${twin}${when}`);
    expect(foreign.html).toContain('Only members can create meetings in this project.');
    const unclear = await screens.open(`${plan}?find-project-projectId=twin${when}`);
    expect(unclear.html).toContain('Several projects match: Twin #');
    expect(unclear.html).toContain('value="2026-12-01"');

    const created = await screens.send('/webhooks', '/webhooks', {
      url: 'https://hooks.example.com/x',
      projectId: '',
      'find-project-projectId': `#${zoo}`,
    });
    expect(created.status).toBe(200);
    const { results } = await getCell(1)
      .prepare('SELECT id, project FROM webhooks WHERE ws = ?')
      .bind(large.no)
      .all();
    expect(results).toMatchObject([{ project: zoo }]);
    const webhook = await screens.open(`/webhooks/${results[0]?.id}`);
    expect(webhook.html).toContain(`<option value="${zoo}" selected="">Żoo of Lodz</option>`);

    const added = await screens.send('', '/tasks/add', {
      name: 'Feed the bears, #oo of lodz',
      projectId: '',
    });
    expect(added.status).toBe(303);
    expect((await screens.open(`/tasks?project=${zoo}`)).html).toContain('Feed the bears');

    const email = 'keeper@many.test';
    const invited = await screens.send('/people', '/people/invitations', {
      email,
      role: 'member',
      projectIds: '',
      'find-project-projectIds': 'oo of lodz',
    });
    expect(invited.status).toBe(303);
    const projects = await getCell(1)
      .prepare('SELECT projects FROM invitations WHERE ws = ? AND email = ?')
      .bind(large.no, email)
      .first('projects');
    expect(projects).toBe(JSON.stringify([zoo]));
  });
});
