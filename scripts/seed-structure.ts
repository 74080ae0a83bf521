import { updateProjectColumn } from '../src/projects/operations/project-columns.ts';
import { addChecklistLine } from '../src/tasks/checklists/checklists.ts';
import { createCustomField, setProjectFields } from '../src/tasks/custom-fields/change-custom-fields.ts';
import { updateLabel } from '../src/tasks/labels/labels.ts';
import { setRecurrence } from '../src/tasks/operations/recurrence.ts';
import { setTaskField } from '../src/tasks/operations/task-fields.ts';
import { createTask } from '../src/tasks/operations/tasks.ts';
import { addRelation } from '../src/tasks/relations/relations.ts';
import { structure } from './demo-content.ts';
import type { DemoWorkspace, Event, SeedTools } from './seed-working-day.ts';

const MINUTE_MS = 60_000;

export function buildStructureEvents(
  workspace: DemoWorkspace,
  tools: SeedTools,
  database: D1Database,
): Event[] {
  // By this time, all demo tasks exist.
  return [{ at: tools.today - 30 * MINUTE_MS, run: (at) => seedTaskDetails(workspace, tools, database, at) }];
}

/** Adds tag colors, column limits, custom fields, subtasks, checklists and relations. */
async function seedTaskDetails(
  { callers, projectIds }: DemoWorkspace,
  tools: SeedTools,
  database: D1Database,
  at: number,
) {
  const owner = callers.get('owner');
  const projectId = projectIds.get(structure.project);
  if (!owner || projectId === undefined) return;
  const runOperation = (operation: Parameters<SeedTools['runOperation']>[1], input: object) =>
    tools.runOperation(owner, operation, input, at);
  const { results } = await database
    .prepare('SELECT id, name FROM tasks WHERE ws = ? AND project = ? AND archived = 0')
    .bind(owner.workspace, projectId)
    .all<{ id: number; name: string }>();
  const findTaskId = (name: string) => results.find((task) => task.name === name)?.id;

  for (const [label, color] of Object.entries(structure.colors))
    await runOperation(updateLabel, { label, color });
  for (const limit of structure.limits) await runOperation(updateProjectColumn, { id: projectId, ...limit });

  const fieldIds: number[] = [];
  for (const { values: _values, ...field } of structure.fields) {
    const { id } = (await runOperation(createCustomField, field)) as { id: number };
    fieldIds.push(id);
  }
  await runOperation(setProjectFields, { id: projectId, fieldIds });
  for (const [index, { values }] of structure.fields.entries())
    for (const [name, value] of Object.entries(values))
      await runOperation(setTaskField, { id: findTaskId(name), number: fieldIds[index], value });

  for (const [name, subtasks] of Object.entries(structure.subtasks))
    for (const subtask of subtasks)
      await runOperation(createTask, { projectId, parentId: findTaskId(name), ...subtask });
  for (const [name, lines] of Object.entries(structure.checklists))
    for (const line of lines) await runOperation(addChecklistLine, { id: findTaskId(name), ...line });
  for (const [name, blocker] of structure.blockers)
    await runOperation(addRelation, {
      id: findTaskId(name),
      type: 'blocked_by',
      taskId: findTaskId(blocker),
    });
  for (const { recurrence, inDays, ...task } of structure.recurring) {
    const deadline = tools.toWeekday(inDays);
    const { id } = (await runOperation(createTask, {
      projectId,
      deadline,
      assigneeId: owner.userId,
      ...task,
    })) as {
      id: number;
    };
    await runOperation(setRecurrence, { id, ...recurrence });
  }
}
