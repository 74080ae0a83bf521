import { beforeEach, describe, expect, it } from 'vitest';
import { createProject } from '../../../src/projects/operations/change-projects.ts';
import { updateProjectColumn } from '../../../src/projects/operations/project-columns.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createWorld, createProject as insertProject, type Person, type World } from '../../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

async function listColumns(person: Person, project: number) {
  const { status, body, text } = await api(person.token).get(`/projects/${project}/statuses`);
  expect(status, text).toBe(200);
  expect(body.meta).toEqual({ total: 5, limit: 5, offset: 0, hasMore: false });
  return body.data.map(({ status, label, isHidden, limit }: Record<string, unknown>) => [
    status,
    label,
    isHidden,
    limit,
  ]);
}

const updateColumn = (person: Person, id: number, status: string, fields: Record<string, unknown>) =>
  runForm(person.token, updateProjectColumn, { id, column: status, ...fields });

describe('GET /projects/{id}/statuses', () => {
  it('returns all five statuses with their default names for a project created by an earlier version', async () => {
    expect(await listColumns(world.people.client, world.projects.joined.id)).toEqual([
      ['todo', 'To do', false, null],
      ['in_progress', 'In progress', false, null],
      ['internal_review', 'Internal review', false, null],
      ['client_review', 'Client review', false, null],
      ['completed', 'Completed', false, null],
    ]);
  });

  it('returns To do, In progress and Done as the visible columns of a new project', async () => {
    const { member } = world.people;
    const { body } = await runForm(member.token, createProject, { name: 'New' });
    expect(await listColumns(member, body.id)).toEqual([
      ['todo', 'To do', false, null],
      ['in_progress', 'In progress', false, null],
      ['internal_review', 'Internal review', true, null],
      ['client_review', 'Client review', true, null],
      ['completed', 'Done', false, null],
    ]);
  });

  it("returns 404 for a project that the caller can't see", async () => {
    const foreign = await createWorld();
    for (const [person, project] of [
      [world.people.client, world.projects.other.id],
      [world.people.owner, foreign.projects.joined.id],
      [world.people.owner, 999_999_999],
    ] as const)
      expect((await api(person.token).get(`/projects/${project}/statuses`)).status).toBe(404);
  });
});

describe('a board column', () => {
  it.each(['owner', 'admin', 'lead', 'member', 'client'] as const)(
    'can be changed only by the project lead, owners and admins (role: %s)',
    async (role) => {
      const { owner, lead, member, client } = world.people;
      const { id: project } = await insertProject(world, { owner, members: [lead, member, client] });
      const { id: led } = await insertProject(world, {
        owner: world.people.lead,
        members: [world.people.client],
      });
      const before = await readAllContents();
      const fields = { label: 'Doing', limit: 3, isHidden: true };
      const may = role === 'owner' || role === 'admin';
      expect((await updateColumn(world.people[role], project, 'in_progress', fields)).status).toBe(
        may ? 200 : 403,
      );
      if (!may) expect(await readAllContents()).toEqual(before);
      const mayLead = may || role === 'lead';
      expect((await updateColumn(world.people[role], led, 'in_progress', fields)).status).toBe(
        mayLead ? 200 : 403,
      );
      if (mayLead)
        expect((await listColumns(world.people.client, led))[1]).toEqual(['in_progress', 'Doing', true, 3]);
    },
  );

  it('keeps properties that a change omits, and has the name of its status if it has no label', async () => {
    const { owner } = world.people;
    const project = world.projects.joined.id;
    await updateColumn(owner, project, 'completed', { label: ' Shipped ', limit: 7 });
    await updateColumn(owner, project, 'completed', { isHidden: true });
    expect((await listColumns(owner, project))[4]).toEqual(['completed', 'Shipped', true, 7]);
    await updateColumn(owner, project, 'completed', { label: '', limit: null });
    expect((await listColumns(owner, project))[4]).toEqual(['completed', 'Completed', true, null]);
  });

  it("rejects invalid values, and can't be hidden if it is the last visible column", async () => {
    const { owner } = world.people;
    const project = world.projects.joined.id;
    for (const status of ['todo', 'in_progress', 'internal_review', 'client_review'])
      await updateColumn(owner, project, status, { isHidden: true });
    const before = await readAllContents();
    for (const fields of [
      { isHidden: true },
      { label: 'x'.repeat(51) },
      { label: 'a\u0007b' },
      { limit: 0 },
      { limit: 1_001 },
      { limit: 1.5 },
    ])
      expect((await updateColumn(owner, project, 'completed', fields)).status, JSON.stringify(fields)).toBe(
        400,
      );
    expect((await updateColumn(owner, project, 'done', { limit: 1 })).status).toBe(400);
    expect(
      (await updateColumn(owner, project, 'completed', { label: 'Completed', limit: null })).status,
    ).toBe(200);
    expect(await readAllContents()).toEqual(before);
  });

  it("doesn't affect the API's statuses or limit new tasks, and its changes are logged as project.updated", async () => {
    const { owner, client } = world.people;
    const project = world.projects.joined.id;
    await updateColumn(owner, project, 'todo', { label: 'Ideas', limit: 1, isHidden: true });
    const { post, get } = api(owner.token);
    for (const name of ['one', 'two']) {
      const { status, body } = await post('/tasks', { projectId: project, name });
      expect([status, body.status]).toEqual([201, 'todo']);
    }
    expect((await get(`/tasks?projectId=${project}&status=todo`)).body.meta.total).toBe(2);
    expect((await get('/task-statuses')).body.data[0].label).toBe('To do');
    const { body } = await api(client.token).get('/events?after=0&types=project.updated');
    expect(body.data.at(-1).changes).toEqual({
      columns: {
        from: { status: 'todo', label: 'To do', isHidden: false, limit: null },
        to: { status: 'todo', label: 'Ideas', isHidden: true, limit: 1 },
      },
    });
  });
});
