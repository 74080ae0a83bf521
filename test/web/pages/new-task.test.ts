import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  project = world.projects.joined.id;
});

const getTaskAt = async (location: string | null) => {
  const id = /\/tasks\/(\d+)$/.exec(location ?? '')?.[1];
  return (await api(world.people.member.token).get(`/tasks/${id}`)).body;
};
const buildFields = () => ({ name: 'Made', projectId: String(project) });
const submitNewTask = (input: Record<string, string>, page = '/tasks/new') =>
  member.send(page, '/tasks/new', input);

describe('a new task', () => {
  it('has every value from the form, and its page opens once it is created', async () => {
    const [, development] = world.categories;
    const { status, location } = await submitNewTask({
      ...buildFields(),
      description: '<p>Why, <strong>who</strong><script>alert(1)</script></p>',
      status: 'in_progress',
      priority: 'high',
      assigneeId: world.people.lead.userId,
      kind: `type-${development.typeId}`,
      startDate: '2026-12-01',
      deadline: '2026-12-24',
      customEstimatedHours: '6.5',
    });
    expect(status).toBe(303);
    expect(location).toMatch(new RegExp(`^${member.base}/tasks/\\d+$`));
    expect(await getTaskAt(location)).toMatchObject({
      name: 'Made',
      description: '<p>Why, <strong>who</strong></p>',
      status: 'in_progress',
      priority: 'high',
      assignee: { id: world.people.lead.userId },
      project: world.projects.joined,
      category: { id: development.id },
      type: { id: development.typeId },
      startDate: '2026-12-01',
      deadline: '2026-12-24',
      customEstimatedHours: '6.5',
    });
  });

  it('needs only a name and a project, and is unassigned by default', async () => {
    const { location } = await submitNewTask({
      ...buildFields(),
      assigneeId: '',
      kind: '',
      deadline: '',
      description: '',
    });
    expect(await getTaskAt(location)).toMatchObject({
      status: 'todo',
      priority: 'medium',
      assignee: null,
      category: null,
      type: null,
      deadline: null,
      customEstimatedHours: null,
    });
  });

  it('can have a category without a type', async () => {
    const [design] = world.categories;
    const { location } = await submitNewTask({ ...buildFields(), kind: `category-${design.id}` });
    expect(await getTaskAt(location)).toMatchObject({ category: { id: design.id }, type: null });
  });

  it("is created with a form that doesn't offer inactive categories and types, or those of other workspaces", async () => {
    const { categories } = await createWorld();
    const own = await createWorld();
    await getCell(0).batch([
      getCell(0).prepare('UPDATE task_categories SET is_active = 0 WHERE id = ?').bind(own.categories[0].id),
      getCell(0).prepare('UPDATE task_types SET is_active = 0 WHERE id = ?').bind(own.categories[1].typeId),
    ]);
    const { html } = await (await WorkspaceBrowser.signIn(own, own.people.client)).open('/tasks/new');
    expect(html).not.toContain(`value="category-${own.categories[0].id}"`);
    expect(html).not.toContain(`value="type-${own.categories[0].typeId}"`);
    expect(html).toContain(
      `<optgroup label="Development"><option value="category-${own.categories[1].id}">Development, no type</option></optgroup>`,
    );
    expect(html).not.toContain(`-${categories[0].id}"`);
  });

  it('is prefilled from the URL, where "me" is the current person', async () => {
    const known = `project=${project}&status=client_review&priority=low&assignee=me&deadline=2026-12-24&name=Known`;
    const { html } = await member.open(`/tasks/new?${known}`);
    for (const chosen of [
      `<option value="${project}" selected="">`,
      '<option value="client_review" selected="">',
      '<option value="low" selected="">',
      `<option value="${world.people.member.userId}" selected="">`,
    ])
      expect(html).toContain(chosen);
    expect(html).toMatch(/name="deadline" type="date" value="2026-12-24"/);
    expect(html).toMatch(/name="name" type="text" value="Known"/);
    expect((await member.open('/tasks/new?status=nonsense')).status).toBe(404);
  });

  it('can be created from My work and from lists, whose filters prefill it', async () => {
    const { userId } = world.people.lead;
    expect((await member.open('')).html).toContain(`${member.base}/tasks/new?assignee=me"`);
    const list = await member.open(`/tasks?project=${project}&status=in_progress&assignee=${userId}`);
    expect(list.html).toContain(
      `${member.base}/tasks/new?project=${project}&amp;status=in_progress&amp;assignee=${userId}"`,
    );
    const open = await member.open('/tasks?status=open&assignee=none');
    expect(open.html).toContain(`${member.base}/tasks/new"`);
  });
});

describe('an invalid new task form', () => {
  it.each([
    [{ projectId: '' }, 'projectId', 'This field is required.'],
    [{ name: '   ' }, 'name', 'Must not be blank.'],
    [{ name: 'x'.repeat(501) }, 'name', 'Use at most 500 characters. You entered 501.'],
    [{ deadline: '2026-02-30' }, 'deadline', 'Must be a real date'],
    [{ customEstimatedHours: '-1' }, 'customEstimatedHours', 'Must be decimal hours'],
    [{ status: 'done' }, 'status', 'Choose an option from the list.'],
    [{ assigneeId: 'usr_nobody' }, 'assigneeId', 'is not a member of this workspace'],
  ])(
    'with %o is displayed again, with its values and an error next to the field',
    async (wrong, field, reason) => {
      const before = await readAllContents();
      const input = { ...buildFields(), description: 'Kept <b>text</b>', priority: 'high', ...wrong };
      const { status, html } = await submitNewTask(input, `/tasks/new?project=${project}`);
      expect(status).toBe(400);
      const [, problem] = new RegExp(`<p class="problem" id="${field}-problem">([^<]*)`).exec(html) ?? [];
      expect(problem).toContain(reason);
      expect(html).toContain('Kept &lt;b&gt;text&lt;/b&gt;</textarea>');
      expect(html).toContain('<option value="high" selected="">');
      expect(await readAllContents()).toEqual(before);
    },
  );

  it("is rejected if its category or type doesn't exist or is in another workspace", async () => {
    const foreign = await createWorld();
    const before = await readAllContents();
    for (const kind of [`type-${foreign.categories[0].typeId}`, `category-${foreign.categories[0].id}`]) {
      const { status, html } = await submitNewTask({ ...buildFields(), kind });
      expect(status).toBe(400);
      expect(html).toMatch(/role="alert">The (type|category) \d+ is not a/);
    }
    for (const kind of ['type-x', 'category-1e999'])
      expect((await submitNewTask({ ...buildFields(), kind })).status).toBe(400);
    expect(await readAllContents()).toEqual(before);
  });

  it("is rejected if a client can't see its project", async () => {
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    const before = await readAllContents();
    const input = { ...buildFields(), projectId: String(world.projects.other.id) };
    expect((await client.send('/tasks/new', '/tasks/new', input)).status).toBe(404);
    expect(await readAllContents()).toEqual(before);
  });
});
