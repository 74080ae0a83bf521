import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld } from '../../support/world.ts';

async function createTaskWithTime(fields: object = { deadline: '2026-12-04', dueTime: '17:30' }) {
  const world = await createWorld();
  const { member } = world.people;
  const task = await createTask(member, world.projects.joined.id, { ...fields });
  return { world, call: api(member.token), id: task.id as number, project: world.projects.joined.id, task };
}

describe("a task's due time", () => {
  it('is returned only if the fields parameter contains it, or with expand=detail', async () => {
    const { call, id, task } = await createTaskWithTime();
    expect(task).not.toHaveProperty('dueTime');
    expect((await call.get(`/tasks/${id}`)).body).not.toHaveProperty('dueTime');
    expect((await call.get(`/tasks?ids=${id}`)).body.data[0]).not.toHaveProperty('dueTime');
    expect((await call.get(`/tasks/${id}?fields=id,dueTime`)).body).toEqual({ id, dueTime: '17:30' });
    expect((await call.get(`/tasks/${id}?expand=detail`)).body).toEqual({ ...task, dueTime: '17:30' });
    const named = await call.get(`/tasks?ids=${id}&fields=dueTime`);
    expect(named.body.data).toEqual([{ dueTime: '17:30' }]);
    const detailed = await call.get(`/tasks?ids=${id}&expand=detail`);
    expect(detailed.body.data[0]).toMatchObject({ id, dueTime: '17:30' });
  });

  it('requires a deadline, and is cleared together with the deadline', async () => {
    const { call, id, project } = await createTaskWithTime();
    const readDueTime = async () => (await call.get(`/tasks/${id}?fields=deadline,dueTime`)).body;
    const expectRejection = async (
      answer: Promise<{ status: number; headers: Headers }>,
      field = 'dueTime',
    ) => {
      const { status, headers } = await answer;
      expect([status, headers.get('Error-Field')]).toEqual([400, field]);
    };
    await expectRejection(call.post('/tasks', { projectId: project, name: 'No day', dueTime: '09:00' }));
    await expectRejection(
      call.post('/tasks', { projectId: project, name: 'No day', deadline: null, dueTime: '09:00' }),
    );
    for (const dueTime of ['24:00', '9:00', '09:60', '09:00:00', ''])
      await expectRejection(call.patch(`/tasks/${id}`, { dueTime }));
    await expectRejection(call.patch(`/tasks/${id}`, { deadline: null, dueTime: '09:00' }));
    expect(await readDueTime()).toEqual({ deadline: '2026-12-04', dueTime: '17:30' });
    await call.patch(`/tasks/${id}`, { deadline: '2026-12-05' });
    expect(await readDueTime()).toEqual({ deadline: '2026-12-05', dueTime: '17:30' });
    await call.patch(`/tasks/${id}`, { deadline: null });
    expect(await readDueTime()).toEqual({ deadline: null, dueTime: null });
    await expectRejection(call.patch(`/tasks/${id}`, { dueTime: '09:00' }));
    await expectRejection(call.patch('/tasks/bulk', { ids: [id], set: { dueTime: '09:00' } }), 'set.dueTime');
    const set = { deadline: '2026-12-06', dueTime: '08:15' };
    expect((await call.patch('/tasks/bulk', { ids: [id], set })).status).toBe(200);
    expect(await readDueTime()).toEqual({ deadline: '2026-12-06', dueTime: '08:15' });
    await call.patch(`/tasks/${id}`, { dueTime: null });
    expect(await readDueTime()).toEqual({ deadline: '2026-12-06', dueTime: null });
  });

  it('appears in the history and in events, and is copied with the task', async () => {
    const { world, call, id } = await createTaskWithTime();
    await call.patch(`/tasks/${id}`, { dueTime: '18:00' });
    await call.patch(`/tasks/${id}`, { deadline: null });
    const { data } = (await call.get(`/tasks/${id}/activities`)).body;
    const times = data.filter(({ type }: { type: string }) => type === 'due_time_changed');
    expect(times.map(({ from, to }: Record<string, unknown>) => [from, to])).toEqual([
      ['18:00', null],
      ['17:30', '18:00'],
    ]);
    const events = await api(world.people.owner.token).get('/events?after=0&types=task.*');
    expect(events.body.data.map(({ changes }: { changes: object }) => changes)).toMatchObject([
      { dueTime: { from: null, to: '17:30' } },
      { dueTime: { from: '17:30', to: '18:00' } },
      { dueTime: { from: '18:00', to: null }, deadline: { from: '2026-12-04', to: null } },
    ]);
    await call.patch(`/tasks/${id}`, { deadline: '2026-12-04', dueTime: '10:00' });
    const copy = (await call.post(`/tasks/${id}/duplicate`)).body;
    expect((await call.get(`/tasks/${copy.id}?fields=dueTime`)).body).toEqual({ dueTime: '10:00' });
  });
});
