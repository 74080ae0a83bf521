// This file is long because the operations that create, edit and archive a task all return it in the same way.
import type * as z from 'zod';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import {
  buildTemplateDrafts,
  countTaskLevels,
  findFirstDay,
  parseContent,
} from '../../templates/model/template-content.ts';
import { templateNotFoundError } from '../../templates/model/templates.policy.ts';
import { assertTemplateUnchanged, findTemplate } from '../../templates/model/templates.queries.ts';
import { readLongContents } from '../comment-contents/long-contents.ts';
import { toComment } from '../comments/comments.present.ts';
import { listLastComments } from '../comments/comments.queries.ts';
import { listDefinitions, selectTaskProjects } from '../custom-fields/custom-fields.queries.ts';
import { assertContextUnchanged, findFieldContextForItems } from '../custom-fields/field-context.ts';
import { planFieldValueChange, planFieldValues, toListedFields } from '../custom-fields/field-values.ts';
import { listAssigneeNumbers, toColumnValues } from '../field-values.ts';
import { assertValidParents, listAffectedDescendants } from '../hierarchy/hierarchy.queries.ts';
import { listAffectedTrees, TaskTree } from '../hierarchy/task-tree.ts';
import { requireDeadline, type TaskDraft, toDraft, toDraftChanges } from '../model/insert.queries.ts';
import { relateNewTasks, type StoredRelation } from '../model/relations.queries.ts';
import { newestTask, selectNewTasks } from '../model/selection.queries.ts';
import { requireExpandedFields, requireOneAssigneeInput, taskNotFoundError } from '../model/tasks.policy.ts';
import { toAssignees, toRequestedFields, toStructure, toTaskDetail } from '../model/tasks.present.ts';
import {
  assertTasksUnchanged,
  findTaskDetail,
  findTaskVersion,
  listFollowers,
} from '../model/tasks.queries.ts';
import {
  DETAIL_COMMENTS_MAX,
  taskDetail,
  taskDetailInput,
  taskIdInput,
  taskUpdateInput,
} from '../model/tasks.schema.ts';
import { toRecurrence } from '../recurrence/recurrence.present.ts';
import { findRecurrence } from '../recurrence/recurrences.queries.ts';
import { listRequestedAssignees, prepareTaskEdit, requireAssigneeMemberNumbers } from '../write/edit-task.ts';
import { addRecurrenceToDraft } from '../write/recurrence-edits.ts';
import { createTasks } from '../write/tasks.write.ts';
import { newTaskInput, type TaskFromTemplateInput } from './new-task.schema.ts';
import {
  assertActiveAssignees,
  assertProjectAndAssignees,
  findTaskReferences,
  listMemberNumbers,
  toMemberNumbers,
} from './task-references.queries.ts';
import { requireTaskReferences } from './task-references.ts';

const describedTaskInput = taskIdInput.extend({ descriptionFormat: descriptionFormatInput });

export const getTask = defineOperation(
  {
    name: 'getTask',
    summary: 'Get a task with its last 10 comments',
    description:
      "To avoid overwriting other people's changes, send the ETag as If-Match when you update the task.",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskDetailInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: taskDetail,
    returnsVersion: true,
  },
  async (ctx, { id, expand = [], fields }) => {
    requireExpandedFields({ expand, fields });
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
    description:
      'Only `projectId` and `name` are required, or `projectId` and `templateId`. You and the assignee follow the task.',
    access: 'tasks:write',
    capability: 'seeProjects',
    effect: 'write',
    input: newTaskInput,
    example: { projectId: 1, name: 'Draft the launch page' },
    output: taskDetail,
    returnsVersion: true,
    replay: { entity: newestTask, rebuild: (ctx, _input, id) => readTaskDetail(ctx, id) },
  },
  async (ctx, input) => {
    const { templateId, name } = input;
    if (templateId !== undefined) return createTaskFromTemplate(ctx, { ...input, templateId });
    if (name === undefined) throw new Error('a new task has neither a name nor a template');
    const { found, trees, fields } = await batchByName(ctx.db, {
      found: findTaskReferences(ctx.caller, requireOneAssigneeInput(input)),
      trees: listAffectedTrees(ctx.caller, [input]),
      fields: findFieldContextForItems(ctx, [input], selectIdsInOrder([input.projectId])),
    });
    const references = requireTaskReferences(found, input);
    if (trees)
      new TaskTree(trees).placeTask({ project: references.project, parentId: input.parentId ?? null });
    const { project } = references;
    const field_values = planFieldValues(input.customFields, { project, stored: null }, fields);
    const draft = addRecurrenceToDraft(ctx, toDraft({ ...input, name }, references), input.recurrence);
    return createTasksFromDrafts(ctx, [{ ...draft, field_values }], assertContextUnchanged(ctx, fields));
  },
);

export const updateTask = defineOperation(
  {
    name: 'updateTask',
    summary: 'Update a task',
    description: "Omitted fields don't change, and null clears a field. The project can't be changed.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskUpdateInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: taskDetail,
    returnsVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, input) => {
    const { caller } = ctx;
    const { id, parentId } = requireOneAssigneeInput(input);
    const reads = {
      members: listMemberNumbers(caller, listRequestedAssignees(input)),
      trees: listAffectedTrees(caller, [input]),
      fields: findFieldContextForItems(ctx, [input], selectTaskProjects(caller, [id])),
    };
    const writes = await prepareTaskEdit(ctx, id, reads, (task, { members, trees, fields }) => {
      if (trees) new TaskTree(trees).placeTask({ id, project: task.project, parentId: parentId ?? null });
      const people = requireAssigneeMemberNumbers(task, input, toMemberNumbers(members));
      const assigned = listAssigneeNumbers(task);
      const added = listRequestedAssignees(input)
        .map((userId) => people.get(userId) ?? 0)
        .filter((no) => !assigned.includes(no));
      const assertions = [
        ...(added.length > 0 ? [assertActiveAssignees(caller, added)] : []),
        ...assertContextUnchanged(ctx, fields),
      ];
      const changes = {
        ...toColumnValues(input, people),
        ...planFieldValueChange(input.customFields, task, fields),
      };
      return { changes, people, assertions };
    });
    return readTaskDetail(ctx, id, writes);
  },
);

export const archiveTask = defineOperation(
  {
    name: 'archiveTask',
    summary: 'Archive a task, which makes it read-only and hides it from lists',
    description:
      'Archiving an archived task changes nothing. Archived tasks accept no changes, comments, files or timers.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: describedTaskInput,
    output: taskDetail,
    returnsVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, { id }) => changeArchivedState(ctx, id, 1),
);

export const unarchiveTask = defineOperation(
  {
    name: 'unarchiveTask',
    summary: 'Restore an archived task',
    description: "Restoring a task that isn't archived changes nothing.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: describedTaskInput,
    output: taskDetail,
    returnsVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, { id }) => changeArchivedState(ctx, id, 0),
);

async function changeArchivedState(ctx: Context, id: number, archived: 0 | 1) {
  const writes = await prepareTaskEdit(
    ctx,
    id,
    { descendants: listAffectedDescendants(ctx.caller, [id], archived) },
    (_task, { descendants }) => ({
      changes: { archived },
      allowsArchived: true,
      descendants,
    }),
  );
  return readTaskDetail(ctx, id, writes);
}

async function createTaskFromTemplate(ctx: Context, input: TaskFromTemplateInput & { templateId: number }) {
  const { caller, db, now } = ctx;
  const { templateId, projectId, parentId = null } = input;
  const { found, template, trees, fields } = await batchByName(db, {
    found: findTaskReferences(caller, requireOneAssigneeInput(input)),
    template: findTemplate(caller, templateId),
    trees: listAffectedTrees(caller, [input]),
    fields: findFieldContextForItems(ctx, [{ customFields: {}, ...input }], selectIdsInOrder([projectId])),
  });
  const references = requireTaskReferences(found, input);
  if (template?.kind !== 'task') throw templateNotFoundError(templateId, 'templateId');
  const content = parseContent(template.content);
  const { tasks } = content;
  const today = toWallClock(now, caller.timezone).date;
  const { drafts, relations } = buildTemplateDrafts('task', content, {
    project: projectId,
    fields: fields?.projects.get(projectId) ?? [],
    firstDay: findFirstDay(tasks, input, today),
  });
  const [root] = drafts.splice(-1) as [TaskDraft];
  const category = input.categoryId == null && input.typeId == null ? root.category : references.category;
  const stored = root.field_values;
  const draft = {
    ...root,
    field_values: planFieldValues(input.customFields, { project: projectId, stored }, fields),
    ...toDraftChanges(input, { ...references, category }),
    ...(input.typeId === undefined && input.categoryId != null && { type: null }),
  };
  if (draft.due === NO_DEADLINE && input.dueTime == null) draft.due_time = null;
  requireDeadline(draft);
  const levels = countTaskLevels(tasks);
  if (trees)
    new TaskTree(trees).placeTask({ project: projectId, parentId, descendants: drafts.length, levels });
  return createTasksFromDrafts(
    ctx,
    [...drafts, addRecurrenceToDraft(ctx, draft, input.recurrence)],
    [assertTemplateUnchanged(caller, template), ...assertContextUnchanged(ctx, fields)],
    relations,
  );
}

/** Responds with the last draft's task. The other drafts are its descendants. */
async function createTasksFromDrafts(
  ctx: Context,
  drafts: readonly TaskDraft[],
  assertions: Statement<void>[],
  relations: readonly StoredRelation[] = [],
) {
  const draft = drafts.at(-1) as TaskDraft;
  const isAnySubtask = drafts.length > 1 || draft.parent !== null;
  const writes = [
    ...assertions,
    assertProjectAndAssignees(ctx.caller, draft.project, listAssigneeNumbers(draft)),
    ...createTasks(ctx, drafts),
    ...(isAnySubtask ? [assertValidParents(ctx.caller, selectNewTasks(drafts.length))] : []),
    ...relateNewTasks(ctx.caller.workspace, relations, drafts.length),
  ];
  const detail = await readTaskDetail(ctx, 'newest', writes);
  if (drafts.length > 1) indexWaitingTextsAfterResponse(ctx, writes);
  return detail;
}

export async function readTaskDetail(
  { db, caller }: Context,
  task: number | 'newest',
  writes: Statement<void>[] = [],
  { expand = [], fields = [] }: Pick<z.output<typeof taskDetailInput>, 'expand' | 'fields'> = {},
) {
  const id = task === 'newest' ? newestTask : toIdParameter(task);
  const hasRecurrence = typeof task === 'number' && expand.includes('recurrence');
  const { row, followers, comments, definitions, recurrence } = await batchByName(db, {
    writes,
    row: findTaskDetail(caller, id, expand),
    followers: listFollowers(caller, id),
    comments: listLastComments(caller, id, DETAIL_COMMENTS_MAX),
    definitions: expand.includes('customFields') ? listDefinitions(caller) : null,
    recurrence: hasRecurrence ? findRecurrence(caller, task) : null,
  });
  if (!row) throw taskNotFoundError(Number(task));
  const detail = toTaskDetail(row, followers, (await readLongContents(db, caller, comments)).map(toComment));
  const more = {
    ...toRequestedFields(row, { expand, fields }),
    ...toStructure(row),
    ...toAssignees(row),
    ...(hasRecurrence && { recurrence: recurrence && toRecurrence(recurrence) }),
    ...(definitions && { customFields: toListedFields(definitions, row) }),
  };
  return new OperationResponse({ ...detail, ...more }, { version: row.version });
}
