import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createFields, type FieldIds } from '../../support/custom-fields.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let project: number;
let fields: FieldIds;
let parent: number;
let member: WorkspaceBrowser;
const names = ['Blocked child', 'Small option', 'Plain'];

beforeAll(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
  fields = await createFields(world);
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  const { owner } = world.people;
  parent = (await createTask(owner, project, { name: 'Top <b>level</b>' })).id;
  const child = await createTask(owner, project, { name: 'Blocked child', parentId: parent });
  const blocker = await createTask(owner, world.projects.other.id, { name: 'Blocker' });
  await api(owner.token).post(`/tasks/${child.id}/relations`, { type: 'blocked_by', taskId: blocker.id });
  await createTask(owner, project, {
    name: 'Small option',
    customFields: { [`cf_${fields.select}`]: 1, [`cf_${fields.checkbox}`]: true },
  });
  await createTask(owner, project, { name: 'Plain' });
});

const listNames = async (path: string, who = member) => {
  const { status, html } = await who.open(path);
  return [status, names.filter((name) => html.includes(name))];
};

describe('boards, lists and CSV files', () => {
  it('can be filtered by blocked tasks, custom fields and parent', async () => {
    const expected: Record<string, string[]> = {
      'blocked=true': ['Blocked child'],
      'blocked=false': ['Small option', 'Plain'],
      [`fields=${fields.select}-1`]: ['Small option'],
      [`fields=${fields.select}-2`]: [],
      [`fields=${fields.checkbox}-true`]: ['Small option'],
      [`parent=${parent}`]: ['Blocked child'],
      [`parent=%23${parent}`]: ['Blocked child'],
      'parent=none': ['Small option', 'Plain'],
      [`blocked=false&fields=${fields.select}-1&parent=none`]: ['Small option'],
      [`parent=${parent}&q=child`]: ['Blocked child'],
    };
    const paths = ['/board?', '/tasks?', '/tasks.csv?'].map((path) => `${path}project=${project}&`);
    for (const [query, found] of Object.entries(expected))
      for (const path of [...paths, `/projects/${project}?`])
        expect([path, query, await listNames(path + query)]).toEqual([path, query, [200, found]]);
  });

  it("offer the project's fields, and show the filters that are set", async () => {
    for (const path of [
      `/projects/${project}?`,
      `/board?project=${project}&`,
      `/tasks?project=${project}&`,
    ]) {
      const query = `blocked=true&parent=${parent}&fields=${fields.select}-1`;
      const { html } = await member.open(path + query);
      expect(html).toContain('<option value="true" selected="">Blocked: Yes</option>');
      expect(html).toContain(`<option value="${fields.select}-1" selected="">select: Small</option>`);
      expect(html).toMatch(new RegExp(`<option value="${parent}" selected="">Parent: `));
      expect(html).not.toContain('<b>level');
    }
    expect((await member.open('/board')).html).not.toContain(`id="filter-cf_${fields.select}"`);
  });

  it('show an error next to an invalid filter', async () => {
    for (const path of [
      `/projects/${project}?`,
      `/board?project=${project}&`,
      `/tasks?project=${project}&`,
    ]) {
      for (const query of ['fields=999999999-1', 'parent=twelve', 'blocked=maybe']) {
        const { status, html } = await member.open(path + query);
        expect([path, query, status === 200 || status === 400]).toEqual([path, query, true]);
        expect(html).toMatch(/aria-invalid="true"|problem|alert/);
      }
    }
  });

  it('have no quick-add field if they are filtered by blocked tasks, custom fields or parent', async () => {
    for (const query of ['blocked=true', 'parent=none', `fields=${fields.select}-1`]) {
      const { html } = await member.open(`/board?project=${project}&${query}`);
      expect([query, html.includes('class="quick-add"')]).toEqual([query, false]);
    }
  });

  it("list no subtasks of a task that a client can't see", async () => {
    const hidden = await createTask(world.people.owner, world.projects.other.id, { name: 'Hidden parent' });
    await createTask(world.people.owner, world.projects.other.id, { name: 'Plain', parentId: hidden.id });
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    for (const path of ['/board?', '/tasks?']) {
      const { html } = await client.open(`${path}parent=${hidden.id}`);
      expect(html).not.toContain('Hidden parent');
      expect((await listNames(`${path}parent=${hidden.id}`, client))[1]).toEqual([]);
    }
  });
});
