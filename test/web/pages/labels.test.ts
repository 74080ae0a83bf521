import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let lead: WorkspaceBrowser;
let client: WorkspaceBrowser;
let task: number;

beforeAll(async () => {
  world = await createWorld();
  lead = await WorkspaceBrowser.signIn(world, world.people.lead);
  client = await WorkspaceBrowser.signIn(world, world.people.client);
  const { owner } = world.people;
  ({ id: task } = await createTask(owner, world.projects.joined.id, {
    name: 'Tagged task',
    tags: ['Web', '<b>bold</b>', 'three', 'four'],
  }));
  await createTask(owner, world.projects.joined.id, { name: 'Plain task' });
  await createTask(owner, world.projects.other.id, { name: 'Hidden task', tags: ['Secret'] });
});

const dotMarkup = '<circle cx="5" cy="5" r="5" fill="#dc2626"></circle></svg>Web';

describe('the tags page', () => {
  it("sets a tag's color, which task pages, lists and boards then show", async () => {
    const { html } = await lead.open('/labels');
    expect(html).toContain('>Secret</bdi>');
    const sent = await lead.send('/labels', '/labels', {
      label: 'Web',
      color: '#dc2626',
      description: 'Pages',
    });
    expect(sent.status).toBe(303);
    for (const path of [
      `/tasks/${task}`,
      '/tasks',
      '/tasks?cols=tags',
      `/projects/${world.projects.joined.id}`,
      '/board',
    ]) {
      const page = await lead.open(path);
      expect(page.html, path).toContain(dotMarkup);
      expect(page.html, path).not.toContain('<b>bold');
    }
    const { body } = await api(world.people.lead.token).get('/labels');
    expect(body.data).toContainEqual({ name: 'Web', color: '#dc2626', description: 'Pages', taskCount: 1 });
  });

  it("removes a tag's color and description", async () => {
    await lead.send('/labels', '/labels', { label: 'three', color: '#2563eb', description: 'x' });
    await lead.send('/labels', '/labels', { label: 'three', color: '', description: '' });
    const { body } = await api(world.people.lead.token).get('/labels');
    expect(body.data).toContainEqual({ name: 'three', color: null, description: null, taskCount: 1 });
  });

  it('shows no forms to members, and shows clients only tags that they can see', async () => {
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    expect((await member.open('/labels')).html).not.toContain('name="color"');
    const { html } = await client.open('/labels');
    expect(html).toContain('>Web</bdi>');
    expect(html).not.toContain('Secret');
    expect(html).not.toContain('name="color"');
  });
});

describe('the tag filter', () => {
  it('applies to lists and boards, ignores case, and suggests visible tags', async () => {
    for (const path of ['/tasks?', `/projects/${world.projects.joined.id}?`, '/board?']) {
      const { html } = await lead.open(`${path}tag=WEB`);
      expect(html, path).toContain('Tagged task');
      expect(html, path).not.toContain('Plain task');
      expect(html, path).toContain('value="WEB"');
      expect(html, path).toContain('<option value="three">');
    }
    const csv = await lead.open('/tasks.csv?tag=web');
    expect(csv.html).toContain('Tagged task');
    expect(csv.html).not.toContain('Plain task');
    expect((await client.open('/tasks')).html).not.toContain('Secret');
  });

  it('can be saved, and can be combined with text', async () => {
    const saved = await lead.send('/tasks?tag=web', '/filters', { tag: 'web', name: 'Web work' });
    expect(saved.status).toBe(303);
    expect((await lead.open('/filters')).html).toContain('tag=web');
    expect((await lead.open('/tasks?tag=web&q=plain')).html).toContain('No matching tasks');
    expect((await lead.open('/tasks?tag=web&q=tagged&status=todo')).html).toContain('Tagged task');
  });

  it('shows an error if too many tasks in the workspace have tags', async () => {
    const large = await createWorld();
    const owner = await WorkspaceBrowser.signIn(large, large.people.owner);
    await createTask(large.people.owner, large.projects.joined.id, { tags: ['x'] });
    await getCell(large.cell)
      .prepare(
        `INSERT INTO tasks (ws, project, name, tags, label_keys, created_by, created_at, updated_at)
        SELECT ?1, ?2, 'Many', '["x"]', '["x"]', ?3, 1, 1 FROM (
          WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10500) SELECT value FROM n)`,
      )
      .bind(large.no, large.projects.joined.id, large.people.owner.member)
      .run();
    for (const path of ['/tasks', `/projects/${large.projects.joined.id}`, '/board'])
      expect((await owner.open(`${path}?tag=x`)).html, path).toContain(
        'This workspace has too many tasks with tags to search all of them',
      );
  });
});
