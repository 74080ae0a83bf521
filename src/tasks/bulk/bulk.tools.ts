import * as z from 'zod';
import { AppError } from '../../kernel/errors/errors.ts';
import {
  addHints,
  defineTool,
  personReference,
  projectReference,
  replaceHints,
  retryKeyInput,
} from '../../kernel/tools/tool.ts';
import { buildToolInputs } from '../field-values.ts';
import { taskCreateInput, taskUpdateInput } from '../model/tasks.schema.ts';
import { createTasksInBulk } from './create.ts';
import { previewCreates, previewUpdates } from './preview.ts';
import { itemResults, sendItems, sharedItemInputs, toItemLines } from './tool-items.ts';
import { updateTasksInBulk } from './update.ts';

const ITEMS_MAX = 50;

const newTask = taskCreateInput.omit({ projectId: true, assigneeId: true }).extend({
  project: projectReference,
  assignee: personReference.optional(),
  ...buildToolInputs('create'),
});

export const createTaskTool = defineTool(
  {
    name: 'create_task',
    title: 'Create tasks',
    description: 'Create 1 to 50 tasks.',
    access: 'tasks:write',
    hints: addHints,
    input: z.strictObject({
      tasks: z.array(newTask).min(1).max(ITEMS_MAX),
      ...sharedItemInputs,
      ...retryKeyInput,
    }),
    output: itemResults,
    fields: { projectId: 'project', assigneeId: 'assignee' },
    lines: (results) => toItemLines(results, 'Created', 'create'),
  },
  async (ctx, { tasks, mode = 'all', dryRun = false, idempotencyKey }) => {
    const found = await ctx.resolve(
      tasks.map(({ project, assignee }) => ({ project, people: assignee ? [assignee] : [] })),
    );
    const items = tasks.map(({ project: _, assignee: __, ...draft }, index) => {
      const names = found[index];
      if (names instanceof AppError) return names;
      return { ...draft, projectId: names?.projectId, assigneeId: names?.userIds[0] };
    });
    return sendItems(items, {
      list: 'tasks',
      mode,
      dryRun,
      send: (sent) =>
        dryRun
          ? ctx.run(previewCreates, { tasks: sent })
          : ctx.run(createTasksInBulk, { mode, tasks: sent }, idempotencyKey),
    });
  },
);

const taskUpdate = taskUpdateInput.omit({ assigneeId: true }).extend({
  assignee: personReference.nullish().meta({ description: 'null unassigns.' }),
  ...buildToolInputs('update'),
});

export const updateTaskTool = defineTool(
  {
    name: 'update_task',
    title: 'Change tasks',
    description: 'Change 1 to 50 tasks. Omitted fields stay; null clears. The project cannot change.',
    access: 'tasks:write',
    hints: replaceHints,
    input: z.strictObject({
      updates: z.array(taskUpdate).min(1).max(ITEMS_MAX),
      ...sharedItemInputs,
      ...retryKeyInput,
    }),
    output: itemResults,
    fields: { assigneeId: 'assignee' },
    standsFor: { updateTask: '' },
    lines: (results) => toItemLines(results, 'Now', 'change'),
  },
  async (ctx, { updates, mode = 'all', dryRun = false, idempotencyKey }) => {
    const found = await ctx.resolve(updates.map(({ assignee }) => ({ people: assignee ? [assignee] : [] })));
    const items = updates.map(({ assignee, ...changes }, index) => {
      const names = found[index];
      if (names instanceof AppError) return names;
      return { ...changes, assigneeId: assignee === null ? null : names?.userIds[0] };
    });
    return sendItems(items, {
      list: 'updates',
      mode,
      dryRun,
      send: (sent) =>
        dryRun
          ? ctx.run(previewUpdates, { updates: sent })
          : ctx.run(updateTasksInBulk, { mode, updates: sent }, idempotencyKey),
    });
  },
);
