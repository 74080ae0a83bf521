import { beforeAll, expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from '../mcp/client.ts';
import type { RestValue } from '../mcp/expected-results.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

const toEntry = (taskId: number, day: number, from = 9, to = 12) => ({
  taskId,
  startTime: `2026-02-0${day}T${String(from).padStart(2, '0')}:00:00.000Z`,
  endTime: `2026-02-0${day}T${String(to).padStart(2, '0')}:00:00.000Z`,
});

it('staged time is listed for the app only, applied with the set, and skipped if it now overlaps', async () => {
  const { lead } = world.people;
  const [task, archived] = await Promise.all(
    [1, 2].map(async () => (await createTask(lead, world.projects.joined.id)).id),
  );
  const token = await createOAuthToken(world, lead);
  await api(lead.token).post('/timer/entries', toEntry(task as number, 2));
  const { changeSet: id } = await callTool(token, 'begin_changes', {});
  const made = await callTool(token, 'create_task', { tasks: [{ project: 'Joined', name: 'New' }] });
  const provisional = made.results[0].task.id;
  const { logged } = await callTool(token, 'set_timer', {
    entries: [toEntry(provisional, 1), toEntry(task as number, 3), toEntry(archived as number, 4)],
  });
  expect(logged.map((each: RestValue) => [each.taskId, each.task.name, each.durationSeconds])).toEqual([
    [provisional, 'New', 10_800],
    [task, 'A task', 10_800],
    [archived, 'A task', 10_800],
  ]);
  for (const entry of [toEntry(task as number, 3, 11, 13), toEntry(task as number, 2, 8, 10)])
    expect(getResultText(await getToolResult(token, 'set_timer', { entries: [entry] }))).toMatch(/overlaps/);
  const listStarts = async () => {
    const starts: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await callTool(token, 'get_time', { view: 'entries', limit: 2, cursor });
      starts.push(...page.data.map((each: RestValue) => each.startTime.slice(8, 10)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return starts;
  };
  expect(await listStarts()).toEqual(['04', '03', '02', '01']);
  expect((await callTool(token, 'get_time', { view: 'entries', taskId: task })).total).toBe(2);
  expect(getResultText(await getToolResult(token, 'get_time', { view: 'stats' }))).toMatch(/don't include/);
  expect((await api(lead.token).get('/timer/entries')).body.meta.total).toBe(1);
  expect(getResultText(await getToolResult(token, 'set_timer', { taskId: task }))).toMatch(/is open/);
  await callTool(token, 'propose_changes', {});
  await api(lead.token).post('/timer/entries', toEntry(task as number, 3, 8, 10));
  await api(lead.token).post(`/tasks/${archived}/archive`);
  const { body: review } = await runForm(lead.token, getChangeSet, { id });
  expect(review.changes.map((each: RestValue) => each.problem)).toEqual([
    null,
    null,
    'You have another time entry in this period.',
    'The task is archived.',
  ]);
  expect(review.changes[1].changes).toMatchObject([
    { label: 'Time', from: '', to: expect.stringContaining('2026-02-01') },
  ]);
  const { body } = await runForm(lead.token, applyChangeSet, { id });
  expect(body).toMatchObject({ applied: 2, conflicts: 2 });
  const { body: decided } = await runForm(lead.token, getChangeSet, { id });
  const { body: entries } = await api(lead.token).get(`/timer/entries?taskId=${decided.changes[0].task}`);
  expect(entries.data).toMatchObject([toEntry(decided.changes[0].task, 1)]);
});
