import { expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { call, textOf, tokenOf, use } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld } from '../support/world.ts';

it('archiving can be staged for a task without subtasks, and is skipped if the task has gained subtasks since', async () => {
  const world = await createWorld();
  const { lead } = world.people;
  const newTask = async () => (await createTask(lead, world.projects.joined.id)).id;
  const [task, parent, later] = [await newTask(), await newTask(), await newTask()];
  const addSubtask = (parentId: number) =>
    createTask(lead, world.projects.joined.id, { name: 'Subtask', parentId });
  const { id: subtask } = await addSubtask(parent);
  const token = await tokenOf(world, lead);
  const { changeSet: id } = await use(token, 'begin_changes', {});
  const { data: done } = await use(token, 'find_tasks', { isArchived: true, limit: 100 });
  const result = await use(token, 'set_task_archived', {
    ids: [task, parent, subtask, later],
    isArchived: true,
  });
  expect(result.done).toEqual([task, later]);
  expect(result.refused.map((each: { id: number }) => each.id)).toEqual([parent, subtask]);
  const made = await use(token, 'create_task', { tasks: [{ project: 'Joined', name: 'New' }] });
  const ids = [made.results[0].task.id];
  const { refused: isNew } = await use(token, 'set_task_archived', { ids, isArchived: true });
  expect(isNew[0].error).toContain('is new in this change set');
  const { data } = await use(token, 'find_tasks', { isArchived: true, limit: 100 });
  expect(data).toHaveLength(done.length + 2);
  const rejected = await call(token, 'update_task', { updates: [{ id: task, name: 'Archived' }] });
  expect(textOf(rejected)).toContain('is archived');
  expect((await api(lead.token).get(`/tasks/${task}`)).body.isArchived).toBe(false);
  await addSubtask(later);
  await use(token, 'propose_changes', {});
  const { body } = await runForm(lead.token, getChangeSet, { id });
  expect(body.changes.map((each: { problem: string | null }) => each.problem)).toEqual([
    null,
    'The task has subtasks, which would be archived or restored with it.',
    null,
  ]);
  await runForm(lead.token, applyChangeSet, { id });
  const read = async (id: number) => (await api(lead.token).get(`/tasks/${id}`)).body.isArchived;
  expect([await read(task), await read(later)]).toEqual([true, false]);
});
