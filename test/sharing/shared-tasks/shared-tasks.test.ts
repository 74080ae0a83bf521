import { beforeAll, describe, expect, it } from 'vitest';
import { saveFilter } from '../../../src/tasks/saved-filters/saved-filters.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api, ORIGIN, readCost } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { textsForPages } from '../../support/hostile-texts.ts';
import { createProject, createTask, createWorld, type Project, type World } from '../../support/world.ts';
import { createLink, requireForm, visit } from '../share.ts';

let world: World;
let people: World['people'];
let project: Project;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  ({ people } = world);
  project = await createProject(world, {
    name: 'Launch',
    owner: people.lead,
    members: [people.member, people.client],
  });
});

describe('the page of a public link', () => {
  it('shows tasks by status without a session, cookie or script', async () => {
    await createTask(people.lead, project.id, {
      name: 'Draft the page',
      status: 'in_progress',
      priority: 'high',
      tags: ['web'],
      deadline: '2027-03-04',
      checklist: [{ text: 'One', isDone: true }, { text: 'Two' }],
    });
    const { address } = await createLink(people.lead, { projectId: project.id });
    const page = await visit(address);
    expect(page.status).toBe(200);
    for (const text of ['Launch', 'In progress', 'Draft the page', 'web', 'High priority', '4 Mar', '1/2'])
      expect(page.html).toContain(text);
    expect(page.html).not.toMatch(/<script|<form/);
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect(page.headers.get('Set-Cookie')).toBeNull();
  });

  it("never shows people's names, ids or email addresses, unless the link shows names", async () => {
    const task = await createTask(people.lead, project.id, {
      name: `Ask @[${people.member.userId}] or ada@example.com`,
      assigneeIds: [people.member.userId, people.client.userId],
      description: `<p>For @[${people.lead.userId}], mail <a href="mailto:bob@example.com">bob</a> at bob&#64;example.com</p>`,
    });
    await api(people.member.token).post(`/tasks/${task.id}/comments`, { content: 'An internal remark' });
    const hidden = await createLink(people.lead, { projectId: project.id });
    const named = await createLink(people.lead, { projectId: project.id }, { showsNames: true });
    for (const { address } of [hidden, named]) {
      for (const path of [address, `${address}/tasks/${task.id}`]) {
        const { html } = await visit(path);
        for (const { userId, email } of Object.values(people)) {
          expect(html).not.toContain(userId);
          expect(html).not.toContain(email);
        }
        expect(html).not.toMatch(/ada@|bob@|bob&#64;|mailto:|An internal remark/);
        expect(html).toContain('@someone');
        const isNamed = address === named.address;
        expect(html.includes(people.member.name)).toBe(isNamed);
        expect(html.includes(people.client.name)).toBe(isNamed);
        expect(html.includes('Someone')).toBe(!isNamed);
        expect(html).not.toContain(people.lead.name);
      }
    }
  });

  it('hides email addresses in tags and labels, and those that markup splits or a link encodes', async () => {
    const task = await createTask(people.lead, project.id, {
      name: 'Addresses',
      tags: ['eve@example.com'],
      description:
        '<p><b>eve</b>@example.com <i>eve</i>@<b>example.com</b> <a href="https://x.example/?to=eve%40example.com">write</a> <b>@someone</b></p>',
    });
    const { address } = await createLink(people.lead, { projectId: project.id });
    for (const path of ['', `/tasks/${task.id}`]) {
      const { html } = await visit(`${address}${path}`);
      expect(html).toContain('Addresses');
      expect(html).not.toMatch(/eve/);
    }
    const { html } = await visit(`${address}/tasks/${task.id}`);
    expect(html).toContain('<b>@someone</b>');
  });

  it('never links into the app', async () => {
    const inside = `${ORIGIN}/app/${world.id}/tasks/7`;
    const task = await createTask(people.lead, project.id, {
      name: 'Linked',
      description: `<p>See ${inside} and <a href="/app/${world.id}">here</a>, <a href="${inside}">there</a>, <a href="https://example.com/a">outside</a></p>`,
    });
    const { address } = await createLink(people.lead, { projectId: project.id });
    const { html } = await visit(`${address}/tasks/${task.id}`);
    expect(html).not.toContain('/app/');
    expect(html).not.toContain(world.id);
    expect(html).toContain('href="https://example.com/a"');
    const links = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href);
    const own = links.filter((href) => !href?.startsWith('https://example.com'));
    expect(own.every((href) => href === '#content' || href?.startsWith(new URL(address).pathname))).toBe(
      true,
    );
  });

  it('shows no archived or deleted tasks, no tasks of other projects, and no tasks of other workspaces', async () => {
    const archived = await createTask(people.lead, project.id, { name: 'Put away' });
    const deleted = await createTask(people.lead, project.id, { name: 'Thrown away' });
    const elsewhere = await createTask(people.owner, world.projects.other.id, { name: 'Elsewhere' });
    const foreign = await createWorld({ cell: 1 });
    const foreignTask = await createTask(foreign.people.lead, foreign.projects.joined.id, {
      name: 'Foreign',
    });
    await api(people.lead.token).post(`/tasks/${archived.id}/archive`);
    await api(people.owner.token).delete(`/tasks/${deleted.id}`);
    const { address } = await createLink(people.lead, { projectId: project.id });
    const { html } = await visit(address);
    expect(html).not.toMatch(/Put away|Thrown away|Elsewhere|Foreign/);
    for (const { id } of [archived, deleted, elsewhere, foreignTask])
      expect([id, (await visit(`${address}/tasks/${id}`)).status]).toEqual([id, 404]);
  });

  it('shows exactly the tasks of a saved filter, and no names of projects', async () => {
    const first = await createTask(people.lead, project.id, { name: 'Match one', tags: ['public-tag'] });
    const second = await createTask(people.owner, world.projects.other.id, {
      name: 'Match two',
      tags: ['public-tag'],
    });
    const other = await createTask(people.lead, project.id, { name: 'No match' });
    const filters = [{ tag: 'public-tag' }, { q: 'Match', tag: 'public-tag' }];
    for (const filter of filters) {
      const { id } = await requireForm(people.owner, saveFilter, {
        name: 'For clients',
        isShared: true,
        ...filter,
      });
      const { address } = await createLink(people.owner, { filterId: id });
      const { html } = await visit(address);
      expect(html).toContain('For clients');
      for (const { name } of [first, second]) expect(html).toContain(name);
      expect(html).not.toMatch(/No match|Launch|Other/);
      const open = async (task: { id: number }) => (await visit(`${address}/tasks/${task.id}`)).status;
      expect([await open(first), await open(second), await open(other)]).toEqual([200, 200, 404]);
    }
  });

  it('pages through a long column, and shows each task once', async () => {
    const long = await createProject(world, { name: 'Long', owner: people.lead });
    const tasks = Array.from({ length: 130 }, (_, index) => ({
      projectId: long.id,
      name: `Task <${index}>`,
    }));
    for (let from = 0; from < tasks.length; from += 50)
      await api(people.lead.token).post('/tasks/bulk', { tasks: tasks.slice(from, from + 50) });
    const { address } = await createLink(people.lead, { projectId: long.id });
    const names: string[] = [];
    let next: string | undefined = address;
    while (next !== undefined) {
      const { html, status } = await visit(unescapeHtml(next));
      expect(status).toBe(200);
      names.push(...[...html.matchAll(/Task &lt;(\d+)&gt;<\/a>/g)].map(([, index]) => index as string));
      next = /<a href="([^"]+)">Show more</.exec(html)?.[1];
    }
    expect(names).toHaveLength(130);
    expect(new Set(names).size).toBe(130);
  });

  it('reads up to 1,000 rows, in one round trip once an isolate knows the link', async () => {
    const big = await createProject(world, { name: 'Big', owner: people.lead, members: [people.member] });
    for (const status of ['todo', 'in_progress', 'internal_review', 'client_review', 'completed']) {
      const tasks = Array.from({ length: 40 }, (_, index) => ({
        projectId: big.id,
        name: `${status} ${index}`,
        status,
        priority: ['low', 'medium', 'high'][index % 3],
        assigneeIds: [people.member.userId, people.lead.userId],
      }));
      const made = await api(people.lead.token).post('/tasks/bulk', { tasks });
      expect(made.status).toBe(201);
    }
    const { address } = await createLink(people.lead, { projectId: big.id }, { showsNames: true });
    const first = readCost((await visit(address)).headers);
    const again = readCost((await visit(address)).headers);
    expect(first.trips).toBe(2);
    expect(again.trips).toBe(1);
    expect(again.rowsRead).toBeLessThanOrEqual(1_000);
    const page = readCost((await visit(`${address}?status=todo`)).headers);
    expect(page.trips).toBe(1);
    expect(page.rowsRead).toBeLessThanOrEqual(1_000);
  });

  it('records when the link was last opened, at most once per hour', async () => {
    const { id, address } = await createLink(people.lead, { projectId: project.id });
    const read = () =>
      getCell(1).prepare('SELECT last_used_at FROM public_links WHERE id = ?').bind(id).first('last_used_at');
    expect(await read()).toBeNull();
    await visit(address);
    const opened = await read();
    expect(opened).toBeGreaterThan(Date.now() - 60_000);
    await visit(address);
    expect(await read()).toBe(opened);
  });

  it('shows hostile text as text', async () => {
    const hostile = await createProject(world, { name: '<b>Hostile</b>', owner: people.lead });
    for (const text of textsForPages) {
      const made = await api(people.lead.token).post('/tasks', {
        projectId: hostile.id,
        name: text,
        tags: [],
        description: text,
      });
      if (made.status !== 201) continue;
      const { address } = await createLink(people.lead, { projectId: hostile.id }).catch(() => ({
        address: '',
      }));
      if (address === '') break;
      for (const path of [address, `${address}/tasks/${made.body.id}`]) {
        const { html } = await visit(path);
        expect(html).not.toMatch(/<(script|img|iframe|svg onload|b>Hostile)/i);
      }
    }
  });

  it('rejects a cursor or a status that it did not create', async () => {
    const { address } = await createLink(people.lead, { projectId: project.id });
    for (const query of ['?status=nothing', '?after=x', `?after=${Buffer.from('[1]').toString('base64url')}`])
      expect([query, (await visit(address + query)).status]).toEqual([query, 404]);
  });
});

it('limits visits per IP address', async () => {
  const { address } = await createLink(people.lead, { projectId: project.id });
  const from = { 'CF-Connecting-IP': '203.0.113.99' };
  const statuses: number[] = [];
  for (let count = 0; count < 640 && !statuses.includes(429); count += 1)
    statuses.push((await visit(`${address}x`, from)).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.length).toBeGreaterThan(500);
});
