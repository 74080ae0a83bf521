import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe.each([
  [
    'task-statuses',
    'task_statuses',
    ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'],
  ],
  [
    'project-statuses',
    'project_statuses',
    ['planned', 'active', 'in-progress', 'on-hold', 'completed', 'cancelled'],
  ],
])('GET /%s', (path, table, values) => {
  const setActive = (active: 0 | 1) =>
    getCell(world.cell).prepare(`UPDATE ${table} SET is_active = ? WHERE id = 2`).bind(active).run();
  afterEach(() => setActive(1));

  it('lists all statuses in the same order for every role', async () => {
    for (const person of Object.values(world.people)) {
      const { body } = await api(person.token).get(`/${path}`);
      expect(body.data.map((each: { value: string }) => each.value)).toEqual(values);
      expect(body.meta).toEqual({ total: values.length, limit: 25, offset: 0, hasMore: false });
    }
  });

  it('hides retired statuses by default, but returns them by id', async () => {
    await setActive(0);
    const { token } = world.people.client;
    const active = await api(token).get(`/${path}?limit=1&offset=1`);
    expect(active.body.meta).toMatchObject({ total: values.length - 1, hasMore: true });
    expect(active.body.data[0].value).toBe(values[2]);
    const all = await api(token).get(`/${path}?includeInactive=true&fields=value,isActive`);
    expect(all.body.meta.total).toBe(values.length);
    expect(all.body.data[1]).toEqual({ value: values[1], isActive: false });
    expect((await api(token).get(`/${path}/2`)).body).toMatchObject({
      value: values[1],
      order: 2,
      isActive: false,
    });
  });

  it('returns 404 for a status with an unknown id', async () => {
    const { status, body } = await api(world.people.owner.token).get(`/${path}/999`);
    expect(status).toBe(404);
    expect(body.error.message).toContain(`GET /v1/${path}`);
  });
});
