import { forbiddenError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { readLongContents } from '../comment-contents/long-contents.ts';
import { toComment } from '../comments/comments.present.ts';
import { listLastComments } from '../comments/comments.queries.ts';
import { toColumns } from '../field-values.ts';
import { type TaskDraft, toDraft } from '../model/insert.queries.ts';
import { newestTask } from '../model/selection.queries.ts';
import { findFreeHour, taskNotFoundError, toCopyName, toDeadline } from '../model/tasks.policy.ts';
import { toTaskDetail } from '../model/tasks.present.ts';
import {
  assertTasksUnchanged,
  findTaskDetail,
  findTaskState,
  findTaskVersion,
  listFollowers,
} from '../model/tasks.queries.ts';
import {
  DETAIL_COMMENTS_MAX,
  taskCreateInput,
  taskDetail,
  taskIdInput,
  taskUpdateInput,
} from '../model/tasks.schema.ts';
import { editTask, requireAssigneeNumber } from '../write/edit-task.ts';
import { createTasks } from '../write/tasks.write.ts';
import {
  assertAssignee,
  assertHourFree,
  assertProjectAndAssignee,
  findActiveAssignee,
  findMember,
  findProjectOfTask,
  findTaskReferences,
  listScheduledTasks,
} from './task-references.queries.ts';
import { requireTaskReferences } from './task-references.ts';

export const getTask = defineOperation(
  {
    name: 'getTask',
    summary: 'Get a task with its last 10 comments',
    description: 'The response has an ETag for the If-Match header of a change.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskIdInput,
    output: taskDetail,
    answersVersion: true,
  },
  async (ctx, { id }) => readTaskDetail(ctx, id),
);

async function readTaskVersion({ db, caller }: Context, id: number) {
  const [task] = await db.batch([findTaskVersion(caller, id)]);
  if (!task) throw taskNotFoundError(id);
  return { version: task.version, unchanged: assertTasksUnchanged(caller, [task]) };
}

export const createTask = defineOperation(
  {
    name: 'createTask',
    summary: 'Create a task',
    description: 'Only projectId and name are required. The assignee and you follow the task.',
    access: 'tasks:write',
    capability: 'seeProjects',
    effect: 'write',
    input: taskCreateInput,
    output: taskDetail,
    answersVersion: true,
    repeat: { entity: newestTask, answer: (ctx, _input, id) => readTaskDetail(ctx, id) },
  },
  async (ctx, input) => {
    const [found] = await ctx.db.batch([findTaskReferences(ctx.caller, input)]);
    return createFromDraft(ctx, toDraft(input, requireTaskReferences(found, input)));
  },
);

export const updateTask = defineOperation(
  {
    name: 'updateTask',
    summary: 'Update a task',
    description: "Omitted fields don't change; null clears. The project cannot be changed.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskUpdateInput,
    output: taskDetail,
    answersVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, input) => {
    const { caller } = ctx;
    const { id, assigneeId } = input;
    const writes = await editTask(ctx, id, [findMember(caller, assigneeId ?? '')], (task, member) => {
      const assignee = requireAssigneeNumber(task, assigneeId, member?.no);
      const isNew = assignee > 0 && assignee !== task.assignee;
      const claims = isNew ? [assertAssignee(caller, assignee)] : [];
      return { changes: toColumns(input, assignee), assigneeId, claims };
    });
    return readTaskDetail(ctx, id, writes);
  },
);

export const archiveTask = defineOperation(
  {
    name: 'archiveTask',
    summary: 'Archive a task, which makes it read-only and hides it from lists',
    description: 'Repeating it changes nothing. Archived tasks accept no changes, comments, files or timers.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput,
    output: taskDetail,
    answersVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, { id }) => setTaskArchived(ctx, id, 1),
);

export const unarchiveTask = defineOperation(
  {
    name: 'unarchiveTask',
    summary: 'Restore an archived task',
    description: 'Repeating it changes nothing.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput,
    output: taskDetail,
    answersVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, { id }) => setTaskArchived(ctx, id, 0),
);

async function setTaskArchived(ctx: Context, id: number, archived: 0 | 1) {
  const writes = await editTask(ctx, id, [], () => ({ changes: { archived }, allowsArchived: true }));
  return readTaskDetail(ctx, id, writes);
}

export const duplicateTask = defineOperation(
  {
    name: 'duplicateTask',
    summary: 'Copy a task',
    description:
      "The copy has the name of the original plus (copy) and the same followers. It is scheduled for the assignee's next free hour on the day of the deadline.",
    access: 'tasks:write',
    capability: 'seeProjects',
    effect: 'write',
    input: taskIdInput,
    output: taskDetail,
    answersVersion: true,
    repeat: { entity: newestTask, answer: (ctx, _input, id) => readTaskDetail(ctx, id) },
  },
  async (ctx, { id }) => {
    const { db, caller } = ctx;
    const [task, assignee, seesProject, taken] = await db.batch([
      findTaskState(caller, id),
      findActiveAssignee(caller, id),
      findProjectOfTask(caller, id),
      listScheduledTasks(caller, id),
    ]);
    if (!task) throw taskNotFoundError(id);
    // A client may follow a task in a project that they can't see, but can't create a task in that project.
    if (!seesProject)
      throw forbiddenError(
        `You need access to the project of task ${id} to copy it. Ask its owner to add you.`,
      );
    // The assignee of the original may have left the workspace. The copy is then unassigned.
    const copyAssignee = assignee?.no ?? 0;
    const isTimed = copyAssignee > 0 && toDeadline(task.due) !== null;
    const hour = isTimed ? findFreeHour(taken) : null;
    const draft = {
      ...task,
      assignee: copyAssignee,
      name: toCopyName(task.name),
      scheduled_time: hour,
      duration_minutes: null,
    };
    const claims = [
      assertTasksUnchanged(caller, [task]),
      ...(hour === null ? [] : [assertHourFree(copyAssignee, task.due, hour)]),
    ];
    return createFromDraft(ctx, draft, { copiedFrom: id }, claims);
  },
);

async function createFromDraft(
  ctx: Context,
  draft: TaskDraft,
  options: { copiedFrom?: number } = {},
  claims: Statement<void>[] = [],
) {
  const references = assertProjectAndAssignee(ctx.caller, draft.project, draft.assignee);
  return readTaskDetail(ctx, 'newest', [references, ...claims, ...createTasks(ctx, [draft], options)]);
}

async function readTaskDetail(
  { db, caller }: Context,
  task: number | 'newest',
  writes: Statement<void>[] = [],
) {
  const id = task === 'newest' ? newestTask : toIdParameter(task);
  const [row, followers, comments] = await db.writeThenRead(writes, [
    findTaskDetail(caller, id),
    listFollowers(caller, id),
    listLastComments(caller, id, DETAIL_COMMENTS_MAX),
  ]);
  if (!row) throw taskNotFoundError(Number(task));
  const detail = toTaskDetail(row, followers, (await readLongContents(db, caller, comments)).map(toComment));
  return new OperationResponse(detail, { version: row.version });
}
