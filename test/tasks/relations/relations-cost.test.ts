import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';

async function createBlocker() {
  const world = await createWorld();
  const { lead, member } = world.people;
  const projectId = world.projects.joined.id;
  const { id: blocker } = await createTask(lead, projectId);
  const tasks = Array.from({ length: 100 }, () => ({ projectId, name: 'Waits', assigneeId: member.userId }));
  const { body } = await api(lead.token).post('/tasks/bulk', { tasks });
  const blocked: number[] = body.data.map(({ task }: { task: { id: number } }) => task.id);
  const db = getCell(world.cell);
  const pairs = JSON.stringify(blocked);
  await db.batch([
    db
      .prepare(
        "INSERT INTO task_relations (ws, type, source, target) SELECT ?, 'blocks', ?, value FROM json_each(?)",
      )
      .bind(world.no, blocker, pairs),
    db.prepare('UPDATE tasks SET open_blockers = 1 WHERE id IN (SELECT value FROM json_each(?))').bind(pairs),
  ]);
  return { world, lead, member, blocker, blocked };
}

it('showing which tasks are blocked reads at most one more row per task', async () => {
  const { lead } = await createBlocker();
  const readList = async (query: string) =>
    (await api(lead.token).get(`/tasks?scope=all${query}`)).cost.rowsRead;
  await readList('');
  expect((await readList('&expand=structure')) - (await readList(''))).toBeLessThanOrEqual(25);
});

it('listing a hundred relations takes one round trip and reads at most 620 rows', async () => {
  const { lead, blocker } = await createBlocker();
  await api(lead.token).get('/me');
  const { body, cost } = await api(lead.token).get(`/tasks/${blocker}/relations?limit=100`);
  expect([body.data.length, cost.trips]).toEqual([100, 1]);
  expect(cost.rowsRead).toBeLessThanOrEqual(620);
});

it('adding a relation takes two round trips, reads at most 60 rows and writes at most 12', async () => {
  const { lead, blocked } = await createBlocker();
  const [first = 0, second = 0, third = 0] = blocked;
  const addRelation = (taskId: number) =>
    api(lead.token).post(`/tasks/${first}/relations`, { type: 'blocks', taskId });
  await addRelation(second);
  const { status, cost } = await addRelation(third);
  expect([status, cost.trips]).toEqual([201, 2]);
  expect(cost.rowsRead).toBeLessThanOrEqual(60);
  expect(cost.rowsWritten).toBeLessThanOrEqual(12);
});

it('completing a task that blocks a hundred others takes two round trips and adds one notification per blocked task', async () => {
  const { world, lead, member, blocker } = await createBlocker();
  const { status, cost } = await api(lead.token).patch(`/tasks/${blocker}`, { status: 'completed' });
  expect([status, cost.trips]).toEqual([200, 2]);
  expect(cost.rowsWritten).toBeLessThanOrEqual(700);
  expect(cost.rowsRead).toBeLessThanOrEqual(1_600);
  expect((await api(member.token).get('/notifications/count?kinds=unblocked')).body).toEqual({ count: 100 });
  expect(await findCounterDrift(world)).toEqual([]);
});

it('finding and counting blocked tasks reads no other tasks', async () => {
  const { world, lead, blocked } = await createBlocker();
  const [first = 0] = blocked;
  await getCell(world.cell)
    .prepare('DELETE FROM task_relations WHERE ws = ? AND target <> ?')
    .bind(world.no, first)
    .run();
  await getCell(world.cell)
    .prepare('UPDATE tasks SET open_blockers = 0 WHERE ws = ? AND id <> ?')
    .bind(world.no, first)
    .run();
  await api(lead.token).get('/me');
  const { body, cost } = await api(lead.token).get('/tasks?scope=all&isBlocked=true');
  expect([body.meta.total, cost.trips]).toEqual([1, 1]);
  expect(cost.rowsRead).toBeLessThanOrEqual(20);
});
