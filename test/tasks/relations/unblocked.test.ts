import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { createTask, createWorld, type Person } from '../../support/world.ts';

const relate = (person: Person, id: number, type: string, taskId: number) =>
  api(person.token).post(`/tasks/${id}/relations`, { type, taskId });

async function listUnblocked(person: Person) {
  const { data, meta } = (await api(person.token).get('/notifications?kinds=unblocked')).body;
  expect(meta.total).toBe(data.length);
  return data.map(({ task }: { task: { id: number } | null }) => task?.id);
}

/** Creates two blockers. Both block the same two tasks: one assigned to the member, and one to the client. */
async function createBlockers() {
  const world = await createWorld();
  const { lead, member, client } = world.people;
  const project = world.projects.joined.id;
  const createTaskId = async (fields = {}) => (await createTask(lead, project, fields)).id;
  const [first, second] = [await createTaskId(), await createTaskId()];
  const blocked = await createTaskId({ assigneeId: member.userId });
  const alsoBlocked = await createTaskId({ assigneeId: client.userId });
  for (const blocker of [first, second])
    for (const task of [blocked, alsoBlocked]) await relate(lead, blocker, 'blocks', task);
  return { world, lead, member, client, project, first, second, blocked, alsoBlocked };
}

describe('the assignees of a blocked task', () => {
  it('are notified when its last blocker is completed, but lists omit the notification unless its type is requested', async () => {
    const { world, lead, member, client, first, second, blocked, alsoBlocked } = await createBlockers();
    const call = api(lead.token);
    await call.patch(`/tasks/${first}`, { status: 'completed' });
    expect(await listUnblocked(member)).toEqual([]);
    const unread = (await api(member.token).get('/notifications/count')).body.count;
    await call.patch(`/tasks/${second}`, { status: 'completed' });
    expect([await listUnblocked(member), await listUnblocked(client)]).toEqual([[blocked], [alsoBlocked]]);
    expect(await listUnblocked(lead)).toEqual([]);
    expect((await api(member.token).get('/notifications/count')).body.count).toBe(unread);
    const [entry] = (await api(member.token).get('/notifications?kinds=all&limit=1')).body.data;
    expect(entry).toMatchObject({
      type: 'unblocked',
      isRead: false,
      actor: { id: lead.userId },
      task: { id: blocked },
      comment: null,
    });
    await call.patch(`/tasks/${second}`, { status: 'todo' });
    await call.patch(`/tasks/${second}`, { status: 'completed' });
    expect(await listUnblocked(member)).toEqual([blocked, blocked]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('are all notified, except the person who completed the last blocker', async () => {
    const { lead, member, client, first, second, blocked } = await createBlockers();
    const call = api(lead.token);
    await call.patch(`/tasks/${blocked}`, { assigneeIds: [member.userId, lead.userId, client.userId] });
    for (const blocker of [first, second]) await call.patch(`/tasks/${blocker}`, { status: 'completed' });
    expect(await listUnblocked(member)).toEqual([blocked]);
    expect(await listUnblocked(client)).toContain(blocked);
    expect(await listUnblocked(lead)).toEqual([]);
  });

  it.each([
    [
      'a bulk request with one change',
      async (call: ReturnType<typeof api>, ids: number[]) =>
        call.patch('/tasks/bulk', { ids, set: { status: 'completed' } }),
    ],
    [
      'a bulk request with different changes',
      async (call: ReturnType<typeof api>, [first, second]: number[]) =>
        call.patch('/tasks/bulk', {
          updates: [
            { id: first, status: 'completed', priority: 'high' },
            { id: second, status: 'completed' },
          ],
        }),
    ],
    [
      'a bulk archive request',
      async (call: ReturnType<typeof api>, ids: number[]) => call.post('/tasks/bulk/archive', { ids }),
    ],
    [
      'one blocker is archived and the other completed',
      async (call: ReturnType<typeof api>, [first, second]: number[]) => {
        await call.post(`/tasks/${first}/archive`);
        return call.patch(`/tasks/${second}`, { status: 'completed' });
      },
    ],
  ])('are notified only once after %s', async (_, close) => {
    const { world, lead, member, first, second, blocked } = await createBlockers();
    expect((await close(api(lead.token), [first, second])).status).toBe(200);
    expect(await listUnblocked(member)).toEqual([blocked]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it("aren't notified about their own actions, completed tasks or deleted relations", async () => {
    const { lead, member, client, first, second, blocked, alsoBlocked } = await createBlockers();
    await api(lead.token).patch(`/tasks/${first}`, { status: 'completed' });
    await api(lead.token).patch(`/tasks/${alsoBlocked}`, { status: 'completed' });
    await api(member.token).patch(`/tasks/${second}`, { status: 'completed' });
    expect([await listUnblocked(member), await listUnblocked(client)]).toEqual([[], []]);
    await api(lead.token).patch(`/tasks/${second}`, { status: 'todo' });
    const [, relation] = (await api(lead.token).get(`/tasks/${blocked}/relations`)).body.data;
    await api(lead.token).delete(`/tasks/${blocked}/relations/${relation.id}`);
    expect(await listUnblocked(member)).toEqual([]);
  });

  it('who are clients are notified when the last blocker that they can see is completed', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const project = world.projects.other.id;
    const createTaskId = async (fields = {}) => (await createTask(owner, project, fields)).id;
    const hidden = await createTaskId();
    const seen = await createTaskId({ assigneeId: client.userId });
    const blocked = await createTaskId({ assigneeId: client.userId });
    for (const blocker of [hidden, seen]) await relate(owner, blocker, 'blocks', blocked);
    await api(owner.token).patch(`/tasks/${seen}`, { status: 'completed' });
    expect(await listUnblocked(client)).toEqual([blocked]);
    await api(owner.token).patch(`/tasks/${hidden}`, { status: 'completed' });
    expect(await listUnblocked(client)).toEqual([blocked]);
  });
});
