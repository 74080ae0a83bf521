import * as z from 'zod';
import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import { assertReferences } from '../bulk/create.queries.ts';
import { splitAssignees } from '../field-values.ts';
import { type CopiedTaskRow, excludeArchived, listDescendants } from '../hierarchy/descendants.queries.ts';
import { assertValidParents, listTrees } from '../hierarchy/hierarchy.queries.ts';
import { TaskTree } from '../hierarchy/task-tree.ts';
import { listDescriptions } from '../model/descriptions.queries.ts';
import type { TaskDraft } from '../model/insert.queries.ts';
import { newestTask, selectNewTasks } from '../model/selection.queries.ts';
import { findFreeHour, taskNotFoundError, toCopyName, toDeadline } from '../model/tasks.policy.ts';
import { assertTasksUnchanged, findTaskState } from '../model/tasks.queries.ts';
import { taskDetail, taskIdInput } from '../model/tasks.schema.ts';
import {
  assertHourIsFree,
  findTaskProject,
  listActiveAssignees,
  listScheduledTasks,
} from '../operations/task-references.queries.ts';
import { readTaskDetail } from '../operations/tasks.ts';
import { createTasks } from '../write/tasks.write.ts';
import { assertDescendantsUnchanged, findParentTask } from './duplicate.queries.ts';

/** The limit exists because one batch contains the descriptions of all copies. */
const COPIED_DESCRIPTIONS_BYTES_MAX = 1_000_000;

export const duplicateTask = defineOperation(
  {
    name: 'duplicateTask',
    summary: 'Copy a task',
    description:
      "The copy has the original's name plus “(copy)”, the same followers and the same parent. It is scheduled for the assignee's next free hour on the day of the deadline. `include=subtasks` also copies all nested subtasks.",
    access: 'tasks:write',
    capability: 'seeProjects',
    effect: 'write',
    input: taskIdInput.extend({
      descriptionFormat: descriptionFormatInput,
      include: z.enum(['subtasks']).optional().meta({ description: '`subtasks` also copies the subtasks.' }),
    }),
    output: taskDetail,
    returnsVersion: true,
    replay: { entity: newestTask, rebuild: (ctx, _input, id) => readTaskDetail(ctx, id) },
  },
  async (ctx, { id, include }) => {
    const { db, caller } = ctx;
    const includesSubtasks = include === 'subtasks';
    const [task, active, seesProject, taken, parent, trees, found] = await db.batch([
      findTaskState(caller, id),
      listActiveAssignees(caller, id),
      findTaskProject(caller, id),
      listScheduledTasks(caller, id),
      findParentTask(caller, id),
      listTrees(caller, { ids: [id], parents: [] }),
      ...(includesSubtasks ? [listDescendants(caller.workspace, [id])] : []),
    ] as const);
    if (!task) throw taskNotFoundError(id);
    if (!seesProject)
      throw forbiddenError(
        `You need access to the project of task ${id} to copy it. Ask the project lead to add you.`,
      );
    const assignees = splitAssignees(active.map(({ no }) => no));
    const copyAssignee = assignees.assignee;
    const isTimed = copyAssignee > 0 && toDeadline(task.due) !== null;
    const hour = isTimed ? findFreeHour(taken) : null;
    const descendants = await copyDescendants(ctx, id, found ?? []);
    // If the parent is archived, the copy has no parent, because archived tasks can't get subtasks.
    const newParent = parent?.archived === 0 ? parent : null;
    const draft = {
      ...task,
      ...assignees,
      name: toCopyName(task.name),
      scheduled_time: hour,
      duration_minutes: null,
      parent: newParent?.id ?? null,
      copied_from: id,
      repeats: 0,
      has_reminders: 0,
    };
    if (newParent) {
      const rows = trees.map((row) => (row.id === newParent.id ? { ...row, ...newParent } : row));
      const placement = { project: task.project, parentId: newParent.id, descendants: descendants.length };
      new TaskTree(rows).placeTask(placement);
    }
    // The copy of the task itself must be created last, so that it is the newest task.
    const drafts = [...descendants, draft];
    const writes = [
      assertReferences(caller, drafts),
      assertTasksUnchanged(caller, [task]),
      ...(found ? [assertDescendantsUnchanged(caller, id, found)] : []),
      ...(hour === null ? [] : [assertHourIsFree(copyAssignee, task.due, hour)]),
      ...createTasks(ctx, drafts),
      ...(newParent || descendants.length > 0
        ? [assertValidParents(caller, selectNewTasks(drafts.length))]
        : []),
    ];
    const detail = await readTaskDetail(ctx, 'newest', writes);
    indexWaitingTextsAfterResponse(ctx, writes);
    return detail;
  },
);

async function copyDescendants(
  { db, caller }: Context,
  root: number,
  found: readonly CopiedTaskRow[],
): Promise<TaskDraft[]> {
  const kept = excludeArchived([root], found);
  const described = kept.filter(({ bytes }) => bytes > 0);
  const bytes = described.reduce((sum, task) => sum + task.bytes, 0);
  if (bytes > COPIED_DESCRIPTIONS_BYTES_MAX) {
    throw invalidRequestError(
      `The descriptions of task ${root}'s subtasks total ${formatNumber(bytes)} bytes; up to ${formatNumber(COPIED_DESCRIPTIONS_BYTES_MAX)} can be copied at once. Copy the subtasks one at a time.`,
      ({ field }) => field('include'),
    );
  }
  const listed = described.map(({ id }) => id);
  const [texts] = listed.length > 0 ? await db.batch([listDescriptions(caller.workspace, listed)]) : [[]];
  const textOf = new Map(texts.map(({ id, description }) => [id, description]));
  const places = new Map(kept.map(({ id }, index) => [id, index]));
  return kept.map((task) => ({
    ...task,
    description: textOf.get(task.id) ?? null,
    ...splitAssignees(JSON.parse(task.active_assignees)),
    scheduled_time: null,
    duration_minutes: null,
    parent: null,
    parent_draft: places.get(task.parent ?? 0) ?? kept.length,
    copied_from: task.id,
    repeats: 0,
    has_reminders: 0,
  }));
}
