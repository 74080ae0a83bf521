import { beforeEach, describe, expect, it } from 'vitest';
import { updateLabel } from '../../../src/tasks/labels/labels.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../../support/world.ts';

interface Label {
  name: string;
  color: string | null;
  description: string | null;
  taskCount: number;
}

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

async function listLabels(person: Person, query = ''): Promise<Label[]> {
  const { status, body, text } = await api(person.token).get(`/labels?limit=100${query}`);
  expect(status, text).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data;
}
const countLabels = async (person: Person, query = '') =>
  (await listLabels(person, query)).map(({ name, taskCount }) => [name, taskCount]);

async function countByFilter({ token }: Person, names: readonly string[]) {
  const counts: [string, number][] = [];
  for (const name of names) {
    const { body } = await api(token).get(`/tasks?scope=all&limit=1&tags=${encodeURIComponent(name)}`);
    if (body.meta.total > 0) counts.push([name, body.meta.total]);
  }
  return counts;
}

describe('GET /labels', () => {
  it('lists each tag once, ignoring case, with the number of unarchived tasks', async () => {
    const { owner } = world.people;
    const project = world.projects.joined.id;
    await createTask(owner, project, { tags: ['Web', 'Été'] });
    await createTask(owner, project, { tags: ['web', 'WEB', 'api'] });
    await createTask(owner, world.projects.other.id, { tags: ['été'] });
    const { id } = await createTask(owner, project, { tags: ['old'] });
    await api(owner.token).post(`/tasks/${id}/archive`);
    expect(await listLabels(owner)).toEqual([
      { name: 'api', color: null, description: null, taskCount: 1 },
      { name: 'Web', color: null, description: null, taskCount: 2 },
      { name: 'Été', color: null, description: null, taskCount: 2 },
    ]);
    expect(await countLabels(owner, `&projectId=${project}`)).toEqual([
      ['api', 1],
      ['Web', 2],
      ['Été', 1],
    ]);
  });

  it('counts exactly the tasks that each role can see', async () => {
    const { owner, client, member } = world.people;
    const tags = ['one', 'two', 'Three'];
    await createTask(owner, world.projects.joined.id, { tags });
    await createTask(owner, world.projects.other.id, { tags: ['one', 'secret'] });
    await createTask(owner, world.projects.other.id, { tags: ['two', 'Two'], assigneeId: client.userId });
    const followed = await createTask(owner, world.projects.other.id, {
      tags: ['four', 'three'],
      assigneeId: client.userId,
    });
    await api(owner.token).patch(`/tasks/${followed.id}`, { assigneeId: null });
    const names = ['four', 'one', 'secret', 'Three', 'two'];
    expect(await countLabels(member)).toEqual(await countByFilter(member, names));
    expect(await countLabels(client)).toEqual(await countByFilter(client, names));
    expect((await countLabels(client)).map(([name]) => name)).toEqual(['four', 'one', 'Three', 'two']);
    expect(await countLabels(client, `&projectId=${world.projects.other.id}`)).toEqual([
      ['four', 1],
      ['three', 1],
      ['two', 1],
    ]);
  });

  it('returns exact counts after tasks are created, duplicated, edited, archived and unarchived', async () => {
    const { owner } = world.people;
    const { post, patch } = api(owner.token);
    const project = await createProject(world, { owner, name: 'Labeled' });
    const parent = await createTask(owner, project.id, { tags: ['a', 'B'] });
    const child = await createTask(owner, project.id, { parentId: parent.id, tags: ['a', 'c'] });
    const expectNoDrift = async () => expect(await findCounterDrift(world)).toEqual([]);
    await post('/tasks/bulk', {
      tasks: [
        { projectId: project.id, name: 'one', tags: ['b', 'd'] },
        { projectId: project.id, name: 'two' },
      ],
    });
    await expectNoDrift();
    await post(`/tasks/${parent.id}/archive`);
    expect(await countLabels(owner)).toEqual([
      ['B', 1],
      ['d', 1],
    ]);
    await expectNoDrift();
    await post(`/tasks/${parent.id}/unarchive`);
    await post(`/tasks/${child.id}/duplicate`);
    await patch('/tasks/bulk', { ids: [parent.id, child.id], set: { tags: ['A', 'e', 'Ä'] } });
    await patch('/tasks/bulk', {
      updates: [
        { id: parent.id, tags: ['x'] },
        { id: child.id, name: 'Renamed' },
      ],
    });
    await patch(`/tasks/${child.id}`, { tags: ['a', 'ä'], projectId: undefined });
    await expectNoDrift();
    expect(await countLabels(owner)).toEqual([
      ['a', 2],
      ['B', 1],
      ['c', 1],
      ['d', 1],
      ['x', 1],
      ['Ä', 1],
    ]);
    await post('/tasks/bulk/archive', { ids: [parent.id, child.id] });
    await expectNoDrift();
    await patch(`/tasks/${parent.id}`, { tags: ['y'] });
    await expectNoDrift();
  });

  it('returns consecutive pages with an exact total', async () => {
    const { owner, client } = world.people;
    for (const [index, letter] of ['d', 'B', 'a', 'C', 'e'].entries())
      await createTask(owner, world.projects[index % 2 ? 'other' : 'joined'].id, { tags: [letter] });
    for (const person of [owner, client]) {
      const names: string[] = [];
      let path: string | undefined = '/labels?limit=2';
      while (path !== undefined) {
        const { body, headers }: { body: { data: Label[]; meta: { total: number } }; headers: Headers } =
          await api(person.token).get(path);
        names.push(...body.data.map(({ name }) => name));
        expect(body.meta.total).toBe(person === owner ? 5 : 3);
        path = /<[^>]*\/v1([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
      }
      expect(names).toEqual(person === owner ? ['a', 'B', 'C', 'd', 'e'] : ['a', 'd', 'e']);
    }
  });

  it('returns nothing from other workspaces, and rejects unknown filters', async () => {
    const other = await createWorld();
    await createTask(other.people.owner, other.projects.joined.id, { tags: ['foreign'] });
    expect(await listLabels(world.people.owner)).toEqual([]);
    expect(await listLabels(world.people.owner, `&projectId=${other.projects.joined.id}`)).toEqual([]);
    expect((await api(world.people.owner.token).get('/labels?color=red')).status).toBe(400);
  });
});

describe('a tag', () => {
  beforeEach(async () => {
    await createTask(world.people.owner, world.projects.joined.id, { tags: ['Web'] });
    await createTask(world.people.owner, world.projects.other.id, { tags: ['Secret'] });
  });

  it.each(['owner', 'admin', 'lead', 'member', 'client'] as const)(
    'can be given a color and a description only by leads, admins and owners (role: %s)',
    async (role) => {
      const { token } = world.people[role];
      const may = role === 'owner' || role === 'admin' || role === 'lead';
      const before = await readAllContents();
      const answer = await runForm(token, updateLabel, {
        label: 'WEB',
        color: '#dc2626',
        description: ' Sites ',
      });
      expect(answer.status).toBe(may ? 200 : 403);
      if (may) {
        expect((await listLabels(world.people.client))[0]).toEqual({
          name: 'Web',
          color: '#dc2626',
          description: 'Sites',
          taskCount: 1,
        });
      } else expect(await readAllContents()).toEqual(before);
    },
  );

  it("can't be changed by people who can't see it, or with invalid values", async () => {
    const { owner, client } = world.people;
    const getStatus = async (person: Person, input: Record<string, unknown>) =>
      (await runForm(person.token, updateLabel, input)).status;
    const before = await readAllContents();
    expect(await getStatus(owner, { label: 'nowhere', color: '#dc2626' })).toBe(404);
    expect(await getStatus(client, { label: 'Secret', color: '#dc2626' })).toBe(404);
    expect(await getStatus(owner, { label: 'Web', color: 'red' })).toBe(400);
    expect(await getStatus(owner, { label: 'Web', description: 'x'.repeat(501) })).toBe(400);
    expect(await getStatus(owner, { label: 'Web', color: null })).toBe(200);
    expect(await readAllContents()).toEqual(before);
  });

  it('has each change logged as a label.updated event, which is hidden from clients', async () => {
    const { owner, client, member } = world.people;
    await runForm(owner.token, updateLabel, { label: 'web', color: '#dc2626' });
    await runForm(owner.token, updateLabel, { label: 'Secret', description: 'Hidden' });
    const readLabelEvents = async ({ token }: Person) =>
      (await api(token).get('/events?after=0&types=label.updated')).body.data.map(
        ({ changes }: { changes: unknown }) => changes,
      );
    expect(await readLabelEvents(member)).toEqual([
      { name: { from: 'Web', to: 'Web' }, color: { from: null, to: '#dc2626' } },
      { name: { from: 'Secret', to: 'Secret' }, description: { from: null, to: 'Hidden' } },
    ]);
    expect(await readLabelEvents(client)).toEqual([]);
  });

  it('keeps its color even if no task has it anymore', async () => {
    const { owner } = world.people;
    await runForm(owner.token, updateLabel, { label: 'Web', color: '#dc2626' });
    const { body } = await api(owner.token).get('/tasks?tags=web');
    await api(owner.token).patch(`/tasks/${body.data[0].id}`, { tags: [] });
    expect(await countLabels(owner)).toEqual([['Secret', 1]]);
    await api(owner.token).patch(`/tasks/${body.data[0].id}`, { tags: ['WEB'] });
    expect((await listLabels(owner))[1]).toMatchObject({ name: 'WEB', color: '#dc2626' });
  });

  it("can't be given a color or description if 500 other tags have one", async () => {
    const { owner } = world.people;
    await getCell(world.cell)
      .prepare(
        `INSERT INTO labels (ws, label_key, color) SELECT ?, 'other ' || value, '#dc2626' FROM (
          WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 500) SELECT value FROM n)`,
      )
      .bind(world.no)
      .run();
    const answer = await runForm(owner.token, updateLabel, { label: 'Web', color: '#dc2626' });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      expect.stringContaining('Up to 500 tags'),
    ]);
  });
});
