// This file is long because the tools that create and change tasks share their fields and conversions.
import * as z from 'zod';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import {
  additiveHints,
  defineTool,
  destructiveHints,
  markDescribedElsewhere,
  personReference,
  projectReference,
  type ResolvedReferences,
  resolveCallReferences,
  retryKeyInput,
} from '../../kernel/tools/tool.ts';
import { rejectOverriddenArguments } from '../../kernel/tools/tool-page.ts';
import type { CustomFieldsInput } from '../custom-fields/custom-fields.schema.ts';
import { buildToolInputSchemas } from '../field-values.ts';
import { ASSIGNEES_MAX } from '../fields.ts';
import { taskCreateInput, taskUpdateInput } from '../model/tasks.schema.ts';
import { type ToolFilter, taskFilterInput } from '../operations/tool-filter.ts';
import { blockerIds } from '../relations/set-blockers.ts';
import { categoryInputs } from './bulk.schema.ts';
import { createTasksInBulk } from './create.ts';
import {
  filterResults,
  findMatchingTasks,
  MATCHES_MAX,
  requireExactCount,
  toMatchLines,
} from './matching-tasks.ts';
import { previewCreates, previewUpdates } from './preview.ts';
import { blockNewTasks, checkNewBlockers, replaceBlockers } from './tool-blockers.ts';
import { itemResults, sendItems, sharedItemInputs, toItemLines } from './tool-items.ts';
import { updateTasksAsAgent } from './update.ts';

const ITEMS_MAX = 50;
/**
 * The schema sets no maximum length, because a line can start with a mark such as `[x] `, which isn't part of the
 * item's text.
 */
const markdownLines = z.array(z.string());
const repeatText = z.string().max(300);

const personName = personReference.meta({ description: undefined });
const peopleNames = z.array(personName).max(ASSIGNEES_MAX);

/** The tool doesn't validate custom fields, because only the operations know the workspace's definitions. */
const fieldsInput = z.unknown().optional();
const { tags: labels, ...createInputs } = buildToolInputSchemas('create');
const newTask = taskCreateInput
  .omit({
    projectId: true,
    assigneeId: true,
    assigneeIds: true,
    parentId: true,
    tags: true,
    customFields: true,
    recurrence: true,
  })
  .extend({
    checklist: markdownLines.optional().meta({ description: '[x] marks completed items.' }),
    blockedBy: blockerIds.optional(),
    project: projectReference,
    assignee: z.union([personReference, peopleNames]).optional(),
    parent: integerId.optional(),
    repeat: repeatText
      .optional()
      .meta({ description: 'RRULE, or "after 7 days" (counted from completion).' }),
    labels,
    ...createInputs,
    fields: fieldsInput.meta({ description: 'Custom fields: {name: value}.' }),
  });

export const createTaskTool = defineTool(
  {
    name: 'create_task',
    title: 'Create tasks',
    description: 'Create 1 to 50 tasks.',
    access: 'tasks:write',
    hints: additiveHints,
    input: z.strictObject({
      tasks: z.array(newTask).min(1).max(ITEMS_MAX),
      ...sharedItemInputs,
      ...retryKeyInput,
    }),
    output: itemResults,
    fields: {
      projectId: 'project',
      assigneeId: 'assignee',
      assigneeIds: 'assignee',
      parentId: 'parent',
      tags: 'labels',
      customFields: 'fields',
      recurrence: 'repeat',
    },
    lines: (results) => toItemLines(results, { done: 'Created', would: 'create', now: 'Created' }),
  },
  async (ctx, { tasks, mode = 'all', dryRun = false, idempotencyKey }) => {
    const found = await ctx.resolve(
      tasks.map(({ project, assignee }) => ({ project, ...toReferencedPeople({ assignee }) })),
    );
    const items = tasks.map(
      (
        { project: _, assignee, blockedBy: __, parent, labels: tags, checklist, repeat, fields, ...draft },
        index,
      ) => {
        const names = found[index];
        if (names instanceof AppError) return names;
        return {
          ...draft,
          tags,
          ...parseChecklistItems(checklist),
          ...toRecurrence(repeat),
          customFields: fields as CustomFieldsInput | undefined,
          parentId: parent,
          projectId: names?.projectId,
          ...toAssigneeInput(assignee, names),
        };
      },
    );
    await checkNewBlockers(ctx, tasks);
    const created = await sendItems(items, {
      list: 'tasks',
      mode,
      dryRun,
      shownOfMany: ['id', 'name', 'assignee'],
      send: (sent) =>
        dryRun
          ? ctx.run(previewCreates, { tasks: sent, descriptionFormat: 'markdown' })
          : ctx.run(createTasksInBulk, { mode, tasks: sent, descriptionFormat: 'markdown' }, idempotencyKey),
    });
    if (!dryRun) await blockNewTasks(ctx, tasks, created);
    return created;
  },
);

const { tags: _tags, ...updateInputs } = buildToolInputSchemas('update');
const taskUpdate = taskUpdateInput
  .omit({ assigneeId: true, assigneeIds: true, parentId: true, tags: true, customFields: true })
  .extend({
    assignee: z
      .union([personName, peopleNames, z.null()])
      .optional()
      .meta({ description: 'A list replaces all assignees.' }),
    parent: integerId.nullish(),
    checklist: markdownLines.optional().meta({ description: 'Replaces all items.' }),
    blockedBy: blockerIds.optional().meta({ description: 'Replaces all blockers.' }),
    repeat: repeatText.nullish(),
    labels,
    ...updateInputs,
    fields: fieldsInput,
    categoryId: categoryInputs.categoryId.meta({ description: 'Clears the type unless typeId is sent.' }),
    typeId: categoryInputs.typeId.meta({ description: 'Also sets the category.' }),
  });
const sharedUpdate = markDescribedElsewhere(
  taskUpdate.omit({ id: true, name: true, description: true, checklist: true, blockedBy: true }),
  'Fields of `updates`, except id, name, description, checklist and blockedBy.',
  'nothing',
);
type TaskChanges = Omit<z.output<typeof taskUpdate>, 'id'>;

export const updateTaskTool = defineTool(
  {
    name: 'update_task',
    title: 'Change tasks',
    description:
      'Send up to 50 `updates`, or one `set` for up to 100 `ids` or a `filter`. Without `count`, a `filter` only counts; send that `count` to change them. Omitted fields are kept; null clears a field.',
    access: 'tasks:write',
    hints: destructiveHints,
    input: z.strictObject({
      updates: z.array(taskUpdate).min(1).max(ITEMS_MAX).optional(),
      ids: z.array(integerId).min(1).max(MATCHES_MAX).optional(),
      filter: markDescribedElsewhere(taskFilterInput, 'Filters of find_tasks.', 'nothing').optional(),
      count: z.int().min(0).optional(),
      set: sharedUpdate.optional(),
      ...sharedItemInputs,
      ...retryKeyInput,
    }),
    output: itemResults.extend(filterResults),
    fields: {
      assigneeId: 'assignee',
      assigneeIds: 'assignee',
      projectId: 'project',
      parentId: 'parent',
      tags: 'labels',
      customFields: 'fields',
      recurrence: 'repeat',
    },
    covers: { updateTask: '' },
    lines: ({ matching, wouldChange, ...results }) =>
      matching !== undefined && wouldChange
        ? toMatchLines({ matching, wouldChange })
        : toItemLines(results, { done: 'Changed', would: 'change', now: 'Now' }),
  },
  async (ctx, { updates, ids, filter, count, set, mode = 'all', dryRun = false, idempotencyKey }) => {
    const chosen = [updates, ids, filter].filter((each) => each !== undefined);
    if (chosen.length !== 1 || (updates === undefined) !== (set !== undefined))
      throw invalidRequestError('Send exactly one of: updates, ids with set, or filter with set.');
    if (updates) {
      rejectOverriddenArguments('updates', { count });
      const found = await ctx.resolve(updates.map(toReferencedPeople));
      const items = updates.map((update, index) => {
        const names = found[index];
        return names instanceof AppError ? names : toUpdateInput(update, names);
      });
      await replaceBlockers(ctx, { updates, items, mode, dryRun });
      return sendItems(items, {
        list: 'updates',
        mode,
        dryRun,
        ids: updates.map(({ id }) => id),
        shownOfMany: updates.some(({ assignee }) => assignee) ? ['id', 'assignee'] : ['id'],
        send: (sent) =>
          dryRun
            ? ctx.run(previewUpdates, { updates: sent, descriptionFormat: 'markdown' })
            : ctx.run(
                updateTasksAsAgent,
                { mode, updates: sent, descriptionFormat: 'markdown' },
                idempotencyKey,
              ),
      });
    }
    const changes = toUpdateInput(set ?? {}, await resolveCallReferences(ctx, toReferencedPeople(set ?? {})));
    if (Object.values(changes).every((value) => value === undefined))
      throw invalidRequestError('set must contain at least one field to change.');
    const changeAll = (all: number[]) =>
      sendItems(all, {
        list: 'ids',
        mode,
        dryRun,
        ids: all,
        shownOfMany: set?.assignee ? ['id', 'assignee'] : ['id'],
        send: (sent) =>
          dryRun
            ? ctx.run(previewUpdates, { ids: sent, set: changes })
            : ctx.run(updateTasksAsAgent, { mode, ids: sent, set: changes }, idempotencyKey),
      });
    if (ids) {
      rejectOverriddenArguments('ids', { count });
      return changeAll(ids);
    }
    rejectOverriddenArguments('filter', { idempotencyKey });
    const {
      ids: all,
      shown,
      total,
    } = await findMatchingTasks(ctx, filter as ToolFilter, { isArchived: false });
    if (count === undefined || dryRun)
      return { results: [], succeeded: 0, failed: 0, matching: total, wouldChange: shown };
    requireExactCount(count, total);
    if (total > all.length) {
      throw invalidRequestError(
        `filter must match at most ${MATCHES_MAX} tasks; it matches ${total}. Nothing was changed. Narrow the filter, for example with dueTo.`,
      );
    }
    return { ...(await changeAll(all)), matching: total };
  },
);

function toReferencedPeople({ assignee }: Pick<TaskChanges, 'assignee'>) {
  return { people: assignee ? [assignee].flat() : [] };
}

function toAssigneeInput(assignee: TaskChanges['assignee'], names: ResolvedReferences | undefined) {
  if (Array.isArray(assignee)) return { assigneeIds: names?.userIds ?? [] };
  return { assigneeId: assignee === null ? null : names?.userIds[0] };
}

function toUpdateInput<T extends Partial<TaskChanges>>(
  { assignee, parent, labels: tags, checklist, repeat, blockedBy: _, fields, ...changes }: T,
  names: ResolvedReferences | undefined,
) {
  return {
    ...changes,
    tags,
    ...parseChecklistItems(checklist),
    ...toRecurrence(repeat),
    customFields: fields as CustomFieldsInput | undefined,
    parentId: parent,
    ...toAssigneeInput(assignee, names),
  };
}

const AFTER_DAYS_PATTERN = /^after (\d{1,3}) days?$/i;

function toRecurrence(repeat: string | null | undefined) {
  if (repeat == null) return { recurrence: repeat };
  const days = Number(AFTER_DAYS_PATTERN.exec(repeat)?.[1] ?? 0);
  if (days === 0) return { recurrence: { rule: repeat, mode: 'schedule' as const } };
  return { recurrence: { rule: `FREQ=DAILY;INTERVAL=${days}`, mode: 'completion' as const, days } };
}

const CHECKBOX_PATTERN = /^\s*(?:[-*]\s+)?\[([ xX])\]\s+/;

function parseChecklistItems(lines: readonly string[] | undefined) {
  if (!lines) return {};
  return {
    checklist: lines.map((line) => ({
      text: line.replace(CHECKBOX_PATTERN, ''),
      isDone: CHECKBOX_PATTERN.exec(line)?.[1]?.toLowerCase() === 'x',
    })),
  };
}
