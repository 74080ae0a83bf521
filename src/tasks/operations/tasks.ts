import type * as z from 'zod';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { readLongContents } from '../comment-contents/long-contents.ts';
import { toComment } from '../comments/comments.present.ts';
import { listLastComments } from '../comments/comments.queries.ts';
import {
  type FieldContext,
  type FieldDefinition,
  listDefinitions,
  selectProjectsOfTasks,
} from '../custom-fields/custom-fields.queries.ts';
import {
  assertContextUnchanged,
  buildContextReads,
  separateContext,
} from '../custom-fields/field-context.ts';
import { planFieldChange, planFieldValues, toListedFields } from '../custom-fields/field-values.ts';
import { toColumns } from '../field-values.ts';
import { assertParents, listArchivedAlong } from '../hierarchy/hierarchy.queries.ts';
import { listTreesOf, TaskTree } from '../hierarchy/task-tree.ts';
import { type TaskDraft, toDraft } from '../model/insert.queries.ts';
import { newestTask, selectNewTasks } from '../model/selection.queries.ts';
import { requireExpanded, taskNotFoundError } from '../model/tasks.policy.ts';
import { toRequestedFields, toStructure, toTaskDetail } from '../model/tasks.present.ts';
import {
  assertTasksUnchanged,
  findTaskDetail,
  findTaskVersion,
  listFollowers,
} from '../model/tasks.queries.ts';
import {
  DETAIL_COMMENTS_MAX,
  taskCreateInput,
  taskDetail,
  taskDetailInput,
  taskIdInput,
  taskUpdateInput,
} from '../model/tasks.schema.ts';
import { toRecurrence } from '../recurrence/recurrence.present.ts';
import { findRecurrence, type RecurrenceRow } from '../recurrence/recurrences.queries.ts';
import { editTask, requireAssigneeNumber } from '../write/edit-task.ts';
import { addRecurrence } from '../write/recurrence-edits.ts';
import { createTasks } from '../write/tasks.write.ts';
import {
  assertAssignee,
  assertProjectAndAssignee,
  findMember,
  findTaskReferences,
} from './task-references.queries.ts';
import { requireTaskReferences } from './task-references.ts';

const describedTaskInput = taskIdInput.extend({ descriptionFormat: descriptionFormatInput });

export const getTask = defineOperation(
  {
    name: 'getTask',
    summary: 'Get a task with its last 10 comments',
    description: 'The response has an ETag for the If-Match header of a change.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskDetailInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: taskDetail,
    answersVersion: true,
  },
  async (ctx, { id, expand = [], fields }) => {
    requireExpanded({ expand, fields });
    return readTaskDetail(ctx, id, [], { expand, fields });
  },
);

export async function readTaskVersion({ db, caller }: Context, id: number) {
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
    input: taskCreateInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: taskDetail,
    answersVersion: true,
    repeat: { entity: newestTask, answer: (ctx, _input, id) => readTaskDetail(ctx, id) },
  },
  async (ctx, input) => {
    const [found, ...optional] = await ctx.db.batch([
      findTaskReferences(ctx.caller, input),
      ...listTreesOf(ctx.caller, [input]),
      ...buildContextReads(ctx, [input], selectIdsInOrder([input.projectId])),
    ] as const);
    const {
      lists: [trees],
      fields,
    } = separateContext(optional);
    const references = requireTaskReferences(found, input);
    if (trees) new TaskTree(trees).place({ project: references.project, parentId: input.parentId ?? null });
    const { project } = references;
    const field_values = planFieldValues(input.customFields, { project, stored: null }, fields);
    const draft = addRecurrence(ctx, toDraft(input, references), input.recurrence);
    return createFromDraft(ctx, { ...draft, field_values }, fields);
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
    input: taskUpdateInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: taskDetail,
    answersVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, input) => {
    const { caller } = ctx;
    const { id, assigneeId, parentId } = input;
    const reads = [
      findMember(caller, assigneeId ?? ''),
      ...listTreesOf(caller, [input]),
      ...buildContextReads(ctx, [input], selectProjectsOfTasks(caller, [id])),
    ] as const;
    const writes = await editTask(ctx, id, reads, (task, ...[member, ...optional]) => {
      const {
        lists: [trees],
        fields,
      } = separateContext(optional);
      if (trees) new TaskTree(trees).place({ id, project: task.project, parentId: parentId ?? null });
      const assignee = requireAssigneeNumber(task, assigneeId, member?.no);
      const isNew = assignee > 0 && assignee !== task.assignee;
      const claims = [
        ...(isNew ? [assertAssignee(caller, assignee)] : []),
        ...assertContextUnchanged(ctx, fields),
      ];
      const changes = {
        ...toColumns(input, assignee),
        ...planFieldChange(input.customFields, task, fields),
      };
      return { changes, assigneeId, claims };
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
    input: describedTaskInput,
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
    input: describedTaskInput,
    output: taskDetail,
    answersVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, { id }) => setTaskArchived(ctx, id, 0),
);

async function setTaskArchived(ctx: Context, id: number, archived: 0 | 1) {
  const writes = await editTask(ctx, id, [listArchivedAlong(ctx.caller, [id], archived)], (_task, along) => ({
    changes: { archived },
    allowsArchived: true,
    along,
  }));
  return readTaskDetail(ctx, id, writes);
}

async function createFromDraft(ctx: Context, draft: TaskDraft, fields: FieldContext | null) {
  const references = assertProjectAndAssignee(ctx.caller, draft.project, draft.assignee);
  return readTaskDetail(ctx, 'newest', [
    references,
    ...assertContextUnchanged(ctx, fields),
    ...createTasks(ctx, [draft]),
    ...(draft.parent === null ? [] : [assertParents(ctx.caller, selectNewTasks(1))]),
  ]);
}

export async function readTaskDetail(
  { db, caller }: Context,
  task: number | 'newest',
  writes: Statement<void>[] = [],
  { expand = [], fields = [] }: Pick<z.output<typeof taskDetailInput>, 'expand' | 'fields'> = {},
) {
  const id = task === 'newest' ? newestTask : toIdParameter(task);
  const hasRecurrence = typeof task === 'number' && expand.includes('recurrence');
  const hasFields = expand.includes('customFields');
  const [row, followers, comments, ...optional] = await db.writeThenRead(writes, [
    findTaskDetail(caller, id, { hasStructure: expand.includes('structure'), hasFields }),
    listFollowers(caller, id),
    listLastComments(caller, id, DETAIL_COMMENTS_MAX),
    ...(hasFields ? [listDefinitions(caller)] : []),
    ...(hasRecurrence ? [findRecurrence(caller, task)] : []),
  ] as const);
  if (!row) throw taskNotFoundError(Number(task));
  const detail = toTaskDetail(row, followers, (await readLongContents(db, caller, comments)).map(toComment));
  const definitions = hasFields ? (optional[0] as FieldDefinition[]) : [];
  const found = hasRecurrence ? (optional.at(-1) as RecurrenceRow | null) : null;
  const more = {
    ...toRequestedFields(row, { expand, fields }),
    ...toStructure(row),
    ...(hasRecurrence && { recurrence: found ? toRecurrence(found) : null }),
    ...(hasFields && { customFields: toListedFields(definitions, row) }),
  };
  return new OperationResponse({ ...detail, ...more }, { version: row.version });
}
