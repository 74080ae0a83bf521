import { expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { callTool, createOAuthToken } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld } from '../support/world.ts';

it('staged checklist changes are visible to the app, and are skipped if someone else has changed the checklist', async () => {
  const world = await createWorld();
  const { lead, owner } = world.people;
  const createOwnTask = async () => {
    const { id } = await createTask(lead, world.projects.joined.id);
    await api(lead.token).put(`/tasks/${id}/checklist`, { items: [{ text: 'One' }, { text: 'Two' }] });
    return id;
  };
  const [task, taken] = [await createOwnTask(), await createOwnTask()];
  const token = await createOAuthToken(world, lead);
  const { changeSet: id } = await callTool(token, 'begin_changes', {});
  const made = await callTool(token, 'create_task', {
    tasks: [{ project: 'Joined', name: 'New', checklist: ['[x] Plan'] }],
  });
  const provisional = made.results[0].task.id;
  await callTool(token, 'update_task', { updates: [{ id: task, checklist: ['Three'] }] });
  await callTool(token, 'update_task', {
    updates: [
      { id: task, checklist: ['Two', '[x] One'] },
      { id: taken, checklist: [] },
      { id: provisional, checklist: ['[x] Plan', 'Do'] },
    ],
  });
  const readToolItems = async (of: number) =>
    (await callTool(token, 'get_task', { id: of })).task.checklistLines;
  expect(await readToolItems(task)).toEqual(['[ ] Two', '[x] One']);
  expect(await readToolItems(provisional)).toEqual(['[x] Plan', '[ ] Do']);
  const readItems = async (of: number) => (await api(owner.token).get(`/tasks/${of}/checklist`)).body.items;
  expect(await readItems(task)).toMatchObject([{ text: 'One' }, { text: 'Two' }]);
  await api(owner.token).patch(`/tasks/${taken}/checklist/items/1`, { isDone: true });
  await callTool(token, 'propose_changes', {});
  const { body } = await runForm(lead.token, getChangeSet, { id });
  expect(body.changes.map((each: { problem: string | null }) => each.problem)).toEqual([
    null,
    null,
    null,
    'Someone has edited the checklist since the app proposed this change.',
    null,
  ]);
  expect(body.changes[2].changes).toContainEqual({
    label: 'Checklist',
    from: '[ ] Three',
    to: '[ ] Two, [x] One',
  });
  await runForm(lead.token, applyChangeSet, { id });
  expect(await readItems(task)).toEqual([
    { id: 2, text: 'Two', isDone: false },
    { id: 1, text: 'One', isDone: true },
  ]);
  expect(await readItems(taken)).toHaveLength(2);
  const { body: applied } = await runForm(lead.token, getChangeSet, { id });
  expect(await readItems(applied.changes[0].task)).toMatchObject([
    { text: 'Plan', isDone: true },
    { text: 'Do', isDone: false },
  ]);
});
