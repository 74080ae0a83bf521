import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { createTask, createWorld } from '../../support/world.ts';

const WRITES = 120;

it(`all ${WRITES} parallel writes to one task succeed, and its comments, counters and search stay correct`, async () => {
  const world = await createWorld();
  const { owner, member } = world.people;
  const task = await createTask(owner, world.projects.joined.id, { deadline: '2026-11-20' });
  const me = api(owner.token);
  const writes = Array.from({ length: WRITES }, (_, index) => {
    switch (index % 6) {
      case 0:
        return me.patch(`/tasks/${task.id}`, { name: `name ${index}` });
      case 1:
        return me.patch(`/tasks/${task.id}`, { description: `<p>text ${index}</p>` });
      case 2:
        return me.patch(`/tasks/${task.id}`, {
          deadline: `2026-12-${String((index % 28) + 1).padStart(2, '0')}`,
        });
      case 3:
        return me.patch(`/tasks/${task.id}`, { status: index % 4 === 1 ? 'completed' : 'todo' });
      case 4:
        return me.patch(`/tasks/${task.id}`, { assigneeId: index % 4 === 0 ? member.userId : null });
      default:
        return me.post(`/tasks/${task.id}/comments`, { content: `comment ${index}` });
    }
  });
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  expect(statuses.filter((status) => status >= 300)).toEqual([]);
  expect(await findCounterDrift(world)).toEqual([]);
  const { body } = await me.get(`/tasks/${task.id}/comments?limit=1`);
  expect(body.meta.total).toBe(WRITES / 6);
  const found = await me.get(
    `/tasks?search=${encodeURIComponent((await me.get(`/tasks/${task.id}`)).body.name)}`,
  );
  expect(found.body.data.map(({ id }: { id: number }) => id)).toContain(task.id);
});
