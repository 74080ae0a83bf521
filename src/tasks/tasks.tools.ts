import * as z from 'zod';
import {
  adds,
  personReference,
  projectReference,
  reads,
  replaces,
  resolveOne,
  switches,
  tool,
} from '../kernel/tool.ts';
import { pageOfTool, toolPage, trimPage } from '../kernel/tool-page.ts';
import { taskCreateInput, taskIdInput, taskListInput, taskUpdateInput } from '../task-model/tasks.schema.ts';
import { listTasks } from './list.ts';
import { taskLine, taskRow, toTaskRow } from './task-row.ts';
import { archiveTask, createTask, unarchiveTask, updateTask } from './tasks.ts';

const listed = taskListInput.shape;

export const findTasks = tool(
  {
    name: 'find_tasks',
    title: 'Find tasks',
    description: 'List tasks, newest first.',
    access: 'tasks:read',
    hints: reads,
    input: taskListInput.pick({ isArchived: true, scope: true, search: true }).extend({
      status: taskCreateInput.shape.status.unwrap().optional(),
      priority: taskCreateInput.shape.priority.unwrap().optional(),
      project: projectReference.optional(),
      assignee: personReference.optional(),
      search: listed.search.meta({ description: 'Part of name or description.' }),
      isArchived: listed.isArchived.meta({ description: undefined }),
      scope: listed.scope.meta({ description: 'mine: in your projects, or followed.' }),
      ...pageOfTool,
    }),
    output: toolPage(taskRow),
    fields: { projectId: 'project', assigneeId: 'assignee' },
    oneOfMany: ['assigneeId', 'status', 'priority'],
    standsFor: { listTasks: '' },
    lines: ({ data }) => data.map(taskLine),
  },
  async (ctx, { project, assignee, status, priority, scope = 'all', ...filter }) => {
    const { projectId, userIds } = await resolveOne(ctx, { project, people: assignee ? [assignee] : [] });
    const page = await ctx.list(listTasks, {
      ...filter,
      projectId,
      scope,
      assigneeId: assignee ? userIds : undefined,
      status: status && [status],
      priority: priority && [priority],
    });
    return trimPage(page, toTaskRow);
  },
);

const written = z.strictObject({ task: taskRow });
const texts = {
  description: taskUpdateInput.shape.description.meta({ description: 'HTML.' }),
  customEstimatedHours: taskUpdateInput.shape.customEstimatedHours.meta({ description: 'As "6.5".' }),
};

export const createTaskTool = tool(
  {
    name: 'create_task',
    title: 'Create a task',
    description: 'Create a task in a project.',
    access: 'tasks:write',
    hints: adds,
    input: taskCreateInput.omit({ projectId: true, assigneeId: true }).extend({
      project: projectReference,
      assignee: personReference.optional(),
      ...texts,
    }),
    output: written,
    fields: { projectId: 'project', assigneeId: 'assignee' },
    lines: ({ task }) => [`Created ${taskLine(task)}`],
  },
  async (ctx, { project, assignee, ...draft }) => {
    const { projectId, userIds } = await resolveOne(ctx, { project, people: assignee ? [assignee] : [] });
    const input = { ...draft, projectId: projectId as number, assigneeId: userIds[0] };
    return { task: toTaskRow(await ctx.run(createTask, input)) };
  },
);

export const updateTaskTool = tool(
  {
    name: 'update_task',
    title: 'Change a task',
    description: 'Fields left out stay; null clears. The project cannot change.',
    access: 'tasks:write',
    hints: replaces,
    input: taskUpdateInput.omit({ assigneeId: true }).extend({
      assignee: personReference.nullish().meta({ description: 'null unassigns.' }),
      ...texts,
    }),
    output: written,
    fields: { assigneeId: 'assignee' },
    lines: ({ task }) => [`Now ${taskLine(task)}`],
  },
  async (ctx, { assignee, ...changes }) => {
    const { userIds } = await resolveOne(ctx, { people: assignee ? [assignee] : [] });
    const assigneeId = assignee === null ? null : userIds[0];
    return { task: toTaskRow(await ctx.run(updateTask, { ...changes, assigneeId })) };
  },
);

export const setTaskArchived = tool(
  {
    name: 'set_task_archived',
    title: 'Archive or restore a task',
    description: 'An archived task is read-only and out of the lists.',
    access: 'tasks:write',
    hints: switches,
    input: taskIdInput.extend({ isArchived: z.boolean() }),
    output: written,
    standsFor: { unarchiveTask: 'isArchived false' },
    lines: ({ task }) => [`Now ${taskLine(task)}`],
  },
  async (ctx, { id, isArchived }) => ({
    task: toTaskRow(await ctx.run(isArchived ? archiveTask : unarchiveTask, { id })),
  }),
);
