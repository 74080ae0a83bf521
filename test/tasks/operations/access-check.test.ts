import { describe, expect, it } from 'vitest';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createApiKey, createTask, createWorld, type World } from '../../support/world.ts';

const countRows = async (world: World, table: string) =>
  (
    await getCell(world.cell)
      .prepare(`SELECT count(*) AS n FROM ${table} WHERE ws = ?`)
      .bind(world.no)
      .first<{ n: number }>()
  )?.n;

describe('the access check in every batch', () => {
  it('returns 401 and writes nothing if a cached API key is revoked before the write', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const projectId = world.projects.joined.id;
    expect((await api(key).post('/tasks', { projectId, name: 'warm' })).status).toBe(201);
    await getCell(world.cell)
      .prepare("UPDATE credentials SET revoked_at = ? WHERE ws = ? AND kind = 'api_key'")
      .bind(Date.now(), world.no)
      .run();
    const before = [await countRows(world, 'tasks'), await countRows(world, 'events')];
    const rejected = await api(key).post('/tasks', { projectId, name: 'too late' });
    expect([rejected.status, rejected.body.error.code]).toEqual([401, 'unauthorized']);
    expect(rejected.cost.rowsWritten).toBe(0);
    expect([await countRows(world, 'tasks'), await countRows(world, 'events')]).toEqual(before);
  });

  it('rolls back the whole batch if the API key is revoked after the reads and before the writes', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const task = await createTask(world.people.owner, world.projects.joined.id);
    const revokeKey = () =>
      getCell(world.cell).prepare('UPDATE credentials SET revoked_at = 1 WHERE ws = ?').bind(world.no).run();
    expect((await api(key).get('/me')).status).toBe(200);
    // The key is revoked between the reads and the writes of the request.
    const rejected = await api(key, { CELL_0: actBeforeBatch(getCell(world.cell), 2, revokeKey) }).patch(
      `/tasks/${task.id}`,
      {
        name: 'too late',
      },
    );
    expect(rejected.status).toBe(401);
    expect((await api(world.people.owner.token).get(`/tasks/${task.id}`)).body).toEqual(task);
  });

  it('rejects a revoked API key before the request is validated', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    expect((await api(key).get('/me')).status).toBe(200);
    await getCell(world.cell)
      .prepare('UPDATE credentials SET revoked_at = 1 WHERE ws = ?')
      .bind(world.no)
      .run();
    expect((await api(key).get('/tasks?limit=never')).status).toBe(401);
  });

  it('uses a new role immediately, even if the role was changed directly in the database', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const hidden = await createTask(world.people.owner, world.projects.other.id);
    expect((await api(member.token).get(`/tasks/${hidden.id}`)).status).toBe(200);
    await getCell(world.cell)
      .prepare("UPDATE members SET role = 'client' WHERE no = ?")
      .bind(member.member)
      .run();
    expect((await api(member.token).get(`/tasks/${hidden.id}`)).status).toBe(404);
    expect((await api(member.token).get('/me')).body.role).toBe('client');
  });
});
