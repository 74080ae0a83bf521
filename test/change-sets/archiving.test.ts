import { expect, it } from 'vitest';
import { applyChangeSet, getChangeSet } from '../../src/change-sets/review/review.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld } from '../support/world.ts';

it('archiving can be staged for tasks without subtasks, and is skipped if they have since gained subtasks', async () => {
  const world = await createWorld();
  const { lead } = world.people;
  const createOwnTask = async () => (await createTask(lead, world.projects.joined.id)).id;
  const [task, parent, later] = [await createOwnTask(), await createOwnTask(), await createOwnTask()];
  const addSubtask = (parentId: number) =>
    createTask(lead, world.projects.joined.id, { name: 'Subtask', parentId });
  const { id: subtask } = await addSubtask(parent);
  const token = await createOAuthToken(world, lead);
  const { changeSet: id } = await callTool(token, 'begin_changes', {});
  const { data: done } = await callTool(token, 'find_tasks', { isArchived: true, limit: 100 });
  const result = await callTool(token, 'set_task_archived', {
    ids: [task, parent, subtask, later],
    isArchived: true,
  });
  expect(result.done).toEqual([task, subtask, later]);
  expect(result.refused.map((each: { id: number }) => each.id)).toEqual([parent]);
  const made = await callTool(token, 'create_task', { tasks: [{ project: 'Joined', name: 'New' }] });
  const ids = [made.results[0].task.id];
  const { refused: isNew } = await callTool(token, 'set_task_archived', { ids, isArchived: true });
  expect(isNew[0].error).toContain('was created in this change set');
  const { data } = await callTool(token, 'find_tasks', { isArchived: true, limit: 100 });
  expect(data).toHaveLength(done.length + 3);
  const rejected = await getToolResult(token, 'update_task', { updates: [{ id: task, name: 'Archived' }] });
  expect(getResultText(rejected)).toContain('is archived');
  expect((await api(lead.token).get(`/tasks/${task}`)).body.isArchived).toBe(false);
  await addSubtask(later);
  await callTool(token, 'propose_changes', {});
  const { body } = await runForm(lead.token, getChangeSet, { id });
  expect(body.changes.map((each: { problem: string | null }) => each.problem)).toEqual([
    null,
    null,
    'The task has subtasks, and this change would apply to them as well.',
    null,
  ]);
  await runForm(lead.token, applyChangeSet, { id });
  const isArchived = async (id: number) => (await api(lead.token).get(`/tasks/${id}`)).body.isArchived;
  expect([await isArchived(task), await isArchived(later)]).toEqual([true, false]);
});
