import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createApiKey, createTask, createWorld } from '../../support/world.ts';

describe('access to tasks', () => {
  it('covers the whole workspace, but for clients only joined projects and tasks that they follow or are assigned to', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const hidden = await createTask(owner, world.projects.other.id);
    const assigned = await createTask(owner, world.projects.other.id, { assigneeId: client.userId });
    const joined = await createTask(owner, world.projects.joined.id);
    for (const person of Object.values(world.people)) {
      const seen = await Promise.all(
        [hidden, assigned, joined].map(
          async ({ id }) => (await api(person.token).get(`/tasks/${id}`)).status,
        ),
      );
      expect(seen, person.role).toEqual(person.role === 'client' ? [404, 200, 200] : [200, 200, 200]);
    }
    const { body } = await api(client.token).get('/tasks?scope=all');
    expect(body.data.map((task: { id: number }) => task.id)).toEqual([joined.id, assigned.id]);
  });

  it('is denied with the same error for hidden and missing tasks, and nothing is written', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const hidden = await createTask(owner, world.projects.other.id);
    const missing = 99_999_999;
    const me = api(client.token);
    const calls: ((id: number) => ReturnType<typeof me.get>)[] = [
      (id) => me.get(`/tasks/${id}`),
      (id) => me.patch(`/tasks/${id}`, { name: 'x' }),
      (id) => me.post(`/tasks/${id}/archive`),
      (id) => me.post(`/tasks/${id}/unarchive`),
      (id) => me.post(`/tasks/${id}/duplicate`),
      (id) => me.get(`/tasks/${id}/comments`),
      (id) => me.post(`/tasks/${id}/comments`, { content: 'x' }),
      (id) => me.get(`/tasks/${id}/activities`),
    ];
    for (const call of calls) {
      const [real, absent] = [await call(hidden.id), await call(missing)];
      expect([real.status, absent.status]).toEqual([404, 404]);
      expect(real.text.replaceAll(String(hidden.id), '#')).toBe(absent.text.replaceAll(String(missing), '#'));
      expect(real.cost.rowsWritten).toBe(0);
    }
    expect((await api(owner.token).get(`/tasks/${hidden.id}`)).body).toEqual(hidden);
  });

  it('allows a client to edit a task assigned to them in a hidden project, but not to copy it there', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const { id } = await createTask(owner, world.projects.other.id, { assigneeId: client.userId });
    expect((await api(client.token).patch(`/tasks/${id}`, { status: 'completed' })).status).toBe(200);
    const copy = await api(client.token).post(`/tasks/${id}/duplicate`);
    expect([copy.status, copy.body.error.code]).toEqual([403, 'forbidden']);
  });

  it('is limited to scope=mine in lists by default with session tokens, but not with API keys', async () => {
    const world = await createWorld();
    const { owner, lead } = world.people;
    await createTask(owner, world.projects.other.id);
    await createTask(owner, world.projects.joined.id);
    const key = await createApiKey(lead);
    const countTasks = async (token: string, query: string) =>
      (await api(token).get(`/tasks?${query}`)).body.meta.total;
    expect(await countTasks(lead.token, '')).toBe(1);
    expect(await countTasks(key, '')).toBe(2);
    expect(await countTasks(lead.token, 'scope=all')).toBe(2);
    expect(await countTasks(lead.token, 'mine=false')).toBe(2);
    expect(await countTasks(key, 'mine=true')).toBe(1);
    expect(await countTasks(key, 'scope=mine')).toBe(1);
    expect(await countTasks(key, 'scope=all&mine=true')).toBe(2);
    expect(await countTasks(lead.token, `projectId=${world.projects.other.id}`)).toBe(1);
    expect(await countTasks(world.people.client.token, `projectId=${world.projects.other.id}`)).toBe(0);
  });
});
