import * as z from 'zod';
import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import {
  buildChecklistStatements,
  replaceChecklistItems,
  requireChecklistItem,
  toChecklist,
} from '../checklists/change-checklist.ts';
import { requireRoomForChecklistItem } from '../checklists/checklists.policy.ts';
import { assertChecklistsUnchanged, findChecklist } from '../checklists/checklists.queries.ts';
import { checklistItemKeyInput } from '../checklists/checklists.schema.ts';
import { COMPLETED_STATUS } from '../fields.ts';
import { assertValidParents, listAffectedDescendants, listTrees } from '../hierarchy/hierarchy.queries.ts';
import { TaskTree } from '../hierarchy/task-tree.ts';
import { emptyDraft } from '../model/insert.queries.ts';
import { newestTask, selectNewTasks } from '../model/selection.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable, findTaskState } from '../model/tasks.queries.ts';
import { taskDetail } from '../model/tasks.schema.ts';
import { assertProjectAndAssignees, findTaskProject } from '../operations/task-references.queries.ts';
import { readTaskDetail } from '../operations/tasks.ts';
import { buildEditStatements, requireUnarchived } from '../write/edit-task.ts';
import { createTasks } from '../write/tasks.write.ts';

export const convertChecklistLine = defineOperation(
  {
    name: 'convertChecklistLine',
    summary: 'Turn a checklist item into a subtask',
    description: 'Removes the item from the checklist. If the item was done, the subtask is completed.',
    access: 'tasks:write',
    capability: 'seeProjects',
    effect: 'write',
    input: checklistItemKeyInput,
    output: taskDetail,
    returnsVersion: true,
    replay: { entity: newestTask, rebuild: (ctx, _input, id) => readTaskDetail(ctx, id) },
  },
  async (ctx, { id, itemId }) => {
    const { db, caller } = ctx;
    const [task, row, seesProject, trees] = await db.batch([
      findTaskState(caller, id),
      findChecklist(caller, id),
      findTaskProject(caller, id),
      listTrees(caller, { parents: [id] }),
    ]);
    if (!task || !row) throw taskNotFoundError(id);
    if (!seesProject) {
      throw forbiddenError(
        `You need access to the project of task ${id} to add a subtask. Ask the project lead to add you.`,
      );
    }
    const before = toChecklist(row);
    const { text, isDone } = requireChecklistItem(id, before.lines, itemId);
    requireUnarchived(task);
    new TaskTree(trees).placeTask({ project: task.project, parentId: id });
    const draft = {
      ...emptyDraft,
      project: task.project,
      name: text,
      assignee: 0,
      parent: id,
      ...(isDone && { status: COMPLETED_STATUS }),
    };
    const after = replaceChecklistItems(
      before,
      before.lines.filter((line) => line.id !== itemId),
    );
    return readTaskDetail(ctx, 'newest', [
      assertProjectAndAssignees(caller, task.project, []),
      assertTaskWritable(caller, id),
      assertChecklistsUnchanged(caller, [[id, before.version]]),
      ...createTasks(ctx, [draft]),
      assertValidParents(caller, selectNewTasks(1)),
      ...buildChecklistStatements(ctx, [{ task: id, before, after }]),
    ]);
  },
);

export const restoreConvertedLine = defineOperation(
  {
    name: 'restoreConvertedLine',
    summary: 'Turn a subtask back into its checklist item, and archive the subtask',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({ ...checklistItemKeyInput.shape, subtaskId: integerId, position: z.int().min(0) }),
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, itemId, subtaskId, position }) => {
    const { db, caller } = ctx;
    const [row, subtask, descendants] = await db.batch([
      findChecklist(caller, id),
      findTaskState(caller, subtaskId),
      listAffectedDescendants(caller, [subtaskId], 1),
    ]);
    if (!row) throw taskNotFoundError(id);
    if (!subtask) throw taskNotFoundError(subtaskId, 'subtaskId');
    requireUnarchived({ id, archived: row.archived });
    const before = toChecklist(row);
    const isUnchanged = subtask.version === 1 && subtask.parent === id && descendants.length === 0;
    const isFree = itemId < before.nextLine && !before.lines.some((line) => line.id === itemId);
    if (!isUnchanged || !isFree) {
      throw invalidRequestError("Can't undo this: the subtask or the checklist has since been changed.");
    }
    requireRoomForChecklistItem(before.lines);
    const line = { id: itemId, text: subtask.name, isDone: subtask.status === COMPLETED_STATUS };
    const after = replaceChecklistItems(before, before.lines.toSpliced(position, 0, line));
    await db.batch([
      assertTaskWritable(caller, id),
      assertChecklistsUnchanged(caller, [[id, before.version]]),
      ...(await buildEditStatements(ctx, [{ task: subtask, changes: { archived: 1 } }], { descendants })),
      ...buildChecklistStatements(ctx, [{ task: id, before, after }]),
    ]);
    return { success: true as const };
  },
);
