import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTeam, createWorld, type World } from '../../support/world.ts';

let world: World;
let neighbor: World;
beforeAll(async () => {
  world = await createWorld();
  neighbor = await createWorld();
});

const emptyList = { data: [], meta: { total: 0, limit: 25, offset: 0, hasMore: false } };

describe('the category and type lists', () => {
  it("contain only the workspace's own categories", async () => {
    const { body } = await api(world.people.client.token).get('/task-categories');
    expect(body.data).toEqual([
      { id: world.categories[0].id, key: 'design', value: 'Design', defaultEstimatedHours: 2 },
      { id: world.categories[1].id, key: 'development', value: 'Development', defaultEstimatedHours: null },
    ]);
    expect(body.meta.total).toBe(2);
  });

  it('contain only the types of the requested category, and nothing if it is unknown or in another workspace', async () => {
    const { token } = world.people.member;
    const [design] = world.categories;
    expect((await api(token).get('/task-types')).body.meta.total).toBe(2);
    const ofDesign = await api(token).get(`/task-types?categoryId=${design.id}`);
    expect(ofDesign.body.meta.total).toBe(1);
    expect(ofDesign.body.data).toEqual([
      {
        id: design.typeId,
        key: 'layout',
        value: 'Layout',
        defaultEstimatedHours: null,
        categoryId: design.id,
      },
    ]);
    expect((await api(token).get('/task-types?categoryId=1')).body).toEqual(emptyList);
    expect((await api(token).get(`/task-types?categoryId=${neighbor.categories[0].id}`)).body).toEqual(
      emptyList,
    );
  });

  it('have items that can be fetched by id in their workspace only', async () => {
    const { token } = world.people.client;
    const [own] = world.categories;
    const [foreign] = neighbor.categories;
    expect((await api(token).get(`/task-categories/${own.id}`)).body.key).toBe('design');
    expect((await api(token).get(`/task-types/${own.typeId}`)).body.categoryId).toBe(own.id);
    expect((await api(token).get(`/task-categories/${foreign.id}`)).status).toBe(404);
    expect((await api(token).get(`/task-types/${foreign.typeId}`)).status).toBe(404);
  });
});

describe('the user list', () => {
  it('contains the members sorted by name, for every role', async () => {
    for (const person of Object.values(world.people)) {
      const { body } = await api(person.token).get('/users?limit=2&offset=1');
      expect(body.data.map((each: { name: string }) => each.name)).toEqual(['Client Test', 'Lead Test']);
      expect(body.meta).toEqual({ total: 5, limit: 2, offset: 1, hasMore: true });
    }
  });
});

describe('GET /users/{id}', () => {
  it('returns a person in the workspace, and 404 for a person in another workspace', async () => {
    const { admin, client } = world.people;
    expect((await api(client.token).get(`/users/${admin.userId}`)).body).toEqual({
      id: admin.userId,
      name: admin.name,
      email: admin.email,
      image: null,
      initials: 'AT',
      role: 'admin',
    });
    expect((await api(client.token).get(`/users/${neighbor.people.admin.userId}`)).status).toBe(404);
  });
});

describe('the team list', () => {
  it('contains teams with their members and team roles, leads first', async () => {
    const fresh = await createWorld();
    const { owner, lead, member, client } = fresh.people;
    const studio = await createTeam(fresh, { name: 'Studio', lead, members: [client, member] });
    const web = await createTeam(fresh, { name: 'Web', parent: studio });
    await createTeam(neighbor, { name: 'Elsewhere', members: [neighbor.people.owner] });

    const { body } = await api(owner.token).get('/teams');
    expect(body.meta).toEqual({ total: 2, limit: 25, offset: 0, hasMore: false });
    expect(body.data).toMatchObject([
      { id: studio, name: 'Studio', parentId: null },
      { id: web, name: 'Web', parentId: studio, members: [] },
    ]);
    expect(body.data[0].members.map((each: { id: string; role: string }) => [each.id, each.role])).toEqual([
      [lead.userId, 'lead'],
      [client.userId, 'member'],
      [member.userId, 'member'],
    ]);

    const second = await api(owner.token).get('/teams?limit=1&offset=1');
    expect(second.body).toMatchObject({
      data: [{ id: web, members: [] }],
      meta: { total: 2, hasMore: false },
    });
  });
});

it('lists of reference data take one database round trip if the credential is cached', async () => {
  const { token } = world.people.client;
  await api(token).get('/users');
  for (const path of [
    '/task-statuses',
    '/task-categories',
    '/task-types',
    '/custom-fields',
    '/users',
    '/teams',
  ]) {
    expect((await api(token).get(path)).cost.trips).toBe(1);
  }
});
