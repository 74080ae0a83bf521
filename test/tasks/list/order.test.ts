import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

/** Moves the times of existing rows an hour ahead, as if the clock were slow during the next requests. */
async function moveIntoFuture(world: World, table: string, column = 'created_at') {
  await getCell(world.cell)
    .prepare(`UPDATE ${table} SET ${column} = ${column} + 3600000 WHERE ws = ?`)
    .bind(world.no)
    .run();
}

const readTimes = (rows: { createdAt: string }[]) => rows.map(({ createdAt }) => createdAt);
const isSorted = (list: string[]) =>
  list.every((time, index) => index === 0 || time <= (list[index - 1] ?? ''));

it("tasks, history entries and notifications sorted by id are also sorted by createdAt, even if a server's clock is slow", async () => {
  const world = await createWorld();
  const { owner, member } = world.people;
  const task = await createTask(owner, world.projects.joined.id, { assigneeId: member.userId });
  await api(owner.token).patch(`/tasks/${task.id}`, { status: 'in_progress' });
  for (const table of ['tasks', 'notifications']) await moveIntoFuture(world, table);
  await moveIntoFuture(world, 'events', 'occurred_at');
  await createTask(owner, world.projects.joined.id, { assigneeId: member.userId });
  await api(owner.token).patch(`/tasks/${task.id}`, { status: 'completed' });
  await api(owner.token).post(`/tasks/${task.id}/comments`, { content: 'later' });

  const { results } = await getCell(world.cell)
    .prepare('SELECT created_at FROM tasks WHERE ws = ? ORDER BY id DESC')
    .bind(world.no)
    .all<{ created_at: number }>();
  expect(isSorted(results.map(({ created_at }) => new Date(created_at).toISOString()))).toBe(true);
  const history = await api(owner.token).get(`/tasks/${task.id}/activities`);
  expect(history.body.data).toHaveLength(4);
  expect(isSorted(readTimes(history.body.data))).toBe(true);
  const inbox = await api(member.token).get('/notifications');
  expect(inbox.body.data.length).toBeGreaterThan(3);
  expect(isSorted(readTimes(inbox.body.data))).toBe(true);
});
