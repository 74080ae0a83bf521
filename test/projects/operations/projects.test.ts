import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../../support/world.ts';

let world: World;
let neighbor: World;

beforeAll(async () => {
  world = await createWorld();
  neighbor = await createWorld();
});

const listIds = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);
const listNames = (people: { name: string }[]) => people.map(({ name }) => name);

describe('GET /projects', () => {
  it.each(['owner', 'admin', 'lead', 'member'] as const)(
    'lists every project of the workspace and no others, newest first, for the role %s',
    async (role) => {
      const { body } = await api(world.people[role].token).get('/projects');
      expect(listIds(body)).toEqual([world.projects.other.id, world.projects.joined.id]);
      expect(body.meta).toEqual({ total: 2, limit: 25, offset: 0, hasMore: false });
      expect(Object.keys(body.data[0]).sort()).toEqual(['createdAt', 'id', 'name', 'status', 'taskCount']);
    },
  );

  it('lists only joined projects for a client', async () => {
    const { body } = await api(world.people.client.token).get('/projects');
    expect(listIds(body)).toEqual([world.projects.joined.id]);
    expect(body.meta.total).toBe(1);
  });

  it('lists only owned and joined projects with scope=mine', async () => {
    const { people, projects } = world;
    const listOwnProjects = async (person: Person) =>
      (await api(person.token).get('/projects?scope=mine')).body;
    expect(listIds(await listOwnProjects(people.owner))).toEqual([projects.other.id]);
    expect(listIds(await listOwnProjects(people.lead))).toEqual([projects.joined.id]);
    expect(await listOwnProjects(people.member)).toMatchObject({
      data: [{ id: projects.joined.id }],
      meta: { total: 1 },
    });
    expect((await api(people.owner.token).get('/projects?scope=all')).body.meta.total).toBe(2);
  });

  it("returns pages that don't overlap, each with the exact total", async () => {
    const { token } = world.people.owner;
    const first = await api(token).get('/projects?limit=1');
    const second = await api(token).get('/projects?limit=1&offset=1');
    const third = await api(token).get('/projects?limit=1&offset=2');
    expect([...listIds(first.body), ...listIds(second.body)]).toEqual([
      world.projects.other.id,
      world.projects.joined.id,
    ]);
    expect(first.body.meta).toEqual({ total: 2, limit: 1, offset: 0, hasMore: true });
    expect(second.body.meta).toEqual({ total: 2, limit: 1, offset: 1, hasMore: false });
    expect(third.body).toEqual({ data: [], meta: { total: 2, limit: 1, offset: 2, hasMore: false } });
  });

  it("includes the members of each project with expand=members, even if the fields parameter doesn't contain them", async () => {
    const { body } = await api(world.people.admin.token).get('/projects?expand=members&fields=name');
    expect(body.data).toHaveLength(2);
    expect(body.data.map(Object.keys)).toEqual([
      ['name', 'members'],
      ['name', 'members'],
    ]);
    expect(listNames(body.data[0].members)).toEqual(['Owner Test', 'Admin Test']);
    expect(listNames(body.data[1].members)).toEqual(['Lead Test', 'Client Test', 'Member Test']);
  });

  it('returns members only for the projects on the page', async () => {
    const { body } = await api(world.people.admin.token).get('/projects?expand=members&limit=1&offset=1');
    expect(body.data).toHaveLength(1);
    expect(listNames(body.data[0].members)).toEqual(['Lead Test', 'Client Test', 'Member Test']);
  });

  it("doesn't count archived tasks in taskCount", async () => {
    const fresh = await createWorld();
    const { owner } = fresh.people;
    await createTask(owner, fresh.projects.joined.id, { assigneeId: owner.userId });
    await createTask(owner, fresh.projects.joined.id);
    const archived = await createTask(owner, fresh.projects.joined.id);
    await api(owner.token).post(`/tasks/${archived.id}/archive`);
    const { body } = await api(owner.token).get('/projects?fields=id,taskCount');
    expect(body.data).toEqual([
      { id: fresh.projects.other.id, taskCount: 0 },
      { id: fresh.projects.joined.id, taskCount: 2 },
    ]);
  });

  it.each([
    ['expand=comments', 'members'],
    ['scope=yours', 'mine'],
    ['fields=nmae', 'name'],
    ['limit=101', '100'],
    ['sort=name', 'scope'],
  ])('rejects %s with a message that contains an allowed value', async (query, allowed) => {
    const { status, body } = await api(world.people.owner.token).get(`/projects?${query}`);
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_request');
    expect(body.error.message).toContain(allowed);
  });
});

describe('GET /projects/{id}', () => {
  it('returns the owner, and a member count that includes the owner', async () => {
    const { lead } = world.people;
    const { body } = await api(world.people.client.token).get(`/projects/${world.projects.joined.id}`);
    expect(body).toMatchObject({
      id: world.projects.joined.id,
      name: 'Joined',
      status: 'active',
      description: null,
      owner: { id: lead.userId, name: lead.name, email: lead.email },
      memberCount: 3,
    });
    expect(body).not.toHaveProperty('members');
  });

  it('includes the members with expand=members', async () => {
    const { body } = await api(world.people.owner.token).get(
      `/projects/${world.projects.joined.id}?expand=members&fields=id`,
    );
    expect(Object.keys(body)).toEqual(['id', 'members']);
    expect(listNames(body.members)).toEqual(['Lead Test', 'Client Test', 'Member Test']);
  });
});

describe('GET /projects/{id}/members', () => {
  it('returns all members without paging, the owner first and the others by name', async () => {
    const { lead } = world.people;
    const { body } = await api(world.people.client.token).get(
      `/projects/${world.projects.joined.id}/members`,
    );
    expect(body.meta).toEqual({ total: 3, limit: 3, offset: 0, hasMore: false });
    expect(listNames(body.data)).toEqual(['Lead Test', 'Client Test', 'Member Test']);
    expect(body.data[0]).toEqual({
      id: lead.userId,
      name: lead.name,
      email: lead.email,
      image: null,
      role: 'lead',
      isOwner: true,
    });
    expect(body.data[1]).toMatchObject({ role: 'client', isOwner: false });
  });

  it('rejects paging parameters', async () => {
    const { status } = await api(world.people.owner.token).get(
      `/projects/${world.projects.joined.id}/members?limit=1`,
    );
    expect(status).toBe(400);
  });
});

describe.each(['', '/members', '?expand=members'])('GET /projects/{id}%s', (rest) => {
  it('returns the same 404 to a client for a hidden project as for an unknown id', async () => {
    const { token } = world.people.client;
    const { id } = world.projects.other;
    const hidden = await api(token).get(`/projects/${id}${rest}`);
    expect(hidden.status).toBe(404);
    await getCell(world.cell).batch([
      getCell(world.cell).prepare('DELETE FROM project_members WHERE project = ?').bind(id),
      getCell(world.cell).prepare('DELETE FROM projects WHERE id = ?').bind(id),
    ]);
    const missing = await api(token).get(`/projects/${id}${rest}`);
    expect(hidden.text).toBe(missing.text);
    world = await createWorld();
  });

  it('returns 404 to every role for a project in another workspace', async () => {
    for (const person of Object.values(world.people)) {
      const { status } = await api(person.token).get(`/projects/${neighbor.projects.joined.id}${rest}`);
      expect(status).toBe(404);
    }
  });

  it("returns 404 if the id isn't an integer", async () => {
    expect((await api(world.people.owner.token).get(`/projects/abc${rest}`)).status).toBe(404);
  });
});

it('a client who leaves a project can no longer see it', async () => {
  const { client, lead } = world.people;
  const project = await createProject(world, { owner: lead, members: [client] });
  expect((await api(client.token).get(`/projects/${project.id}`)).status).toBe(200);
  await getCell(world.cell)
    .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
    .bind(project.id, client.member)
    .run();
  expect((await api(client.token).get(`/projects/${project.id}`)).status).toBe(404);
});

it('every read of projects takes one database round trip if the credential is cached', async () => {
  const { token } = world.people.client;
  const { id } = world.projects.joined;
  await api(token).get('/projects');
  for (const path of [
    '/projects?expand=members',
    `/projects/${id}?expand=members`,
    `/projects/${id}/members`,
  ]) {
    expect((await api(token).get(path)).cost.trips).toBe(1);
  }
});
