import { z } from 'zod';
import type { Comment } from '../comments/comments.schema.ts';
import { listComments } from '../comments/comments.ts';
import {
  adds,
  line,
  pageOfTool,
  personReference,
  pick,
  projectReference,
  reads,
  replaces,
  summary,
  switches,
  textFrom,
  textOffset,
  tool,
  toolPage,
  trimPage,
} from '../kernel/tool.ts';
import {
  type TaskDetail,
  taskCreateInput,
  taskIdInput,
  taskListInput,
  taskUpdateInput,
} from './tasks.schema.ts';
import { archiveTask, createTask, getTask, listTasks, unarchiveTask, updateTask } from './tasks.ts';

const COMMENTS_A_CALL = 10;

const rowFields = {
  id: z.int(),
  name: z.string(),
  status: z.string(),
  priority: z.string(),
  assignee: summary.nullable(),
  project: summary,
  deadline: z.string().nullable(),
  isArchived: z.boolean().optional(),
};
const taskRow = z.strictObject(rowFields);
type Row = z.output<typeof taskRow>;
const written = z.strictObject({ task: taskRow });

function toRow(task: Omit<Row, 'assignee' | 'project'> & Pick<TaskDetail, 'assignee' | 'project'>): Row {
  return {
    ...pick(task, 'id', 'name', 'status', 'priority'),
    assignee: task.assignee && pick(task.assignee, 'name'),
    project: task.project,
    deadline: task.deadline,
    ...(task.isArchived && { isArchived: true }),
  };
}

function toLine(row: Row): string {
  return line(
    `#${row.id} ${row.name}`,
    `${row.status}, ${row.priority}`,
    row.assignee ? String(row.assignee.name) : 'unassigned',
    String(row.project.name),
    row.deadline && `due ${row.deadline}`,
    row.isArchived && 'archived',
  );
}

export const findTasks = tool(
  {
    name: 'find_tasks',
    title: 'Find tasks',
    description: 'List tasks, newest first.',
    access: 'tasks:read',
    hints: reads,
    input: taskListInput
      .omit({ projectId: true, assigneeId: true, expand: true, mine: true, cursor: true })
      .extend({
        project: projectReference.optional(),
        assignee: personReference.optional(),
        search: taskListInput.shape.search.meta({ description: 'Part of name or description.' }),
        isArchived: taskListInput.shape.isArchived.meta({ description: undefined }),
        scope: taskListInput.shape.scope.meta({ description: 'mine: in your projects, or followed.' }),
        ...pageOfTool,
      }),
    output: toolPage(taskRow),
    lines: ({ data }) => data.map(toLine),
  },
  async (ctx, { project, assignee, ...filter }) => {
    const { projectId, userIds } = await ctx.resolve({ project, people: assignee ? [assignee] : [] });
    const page = await ctx.run(listTasks, {
      ...filter,
      projectId,
      assigneeId: userIds[0],
      scope: filter.scope ?? 'all',
    });
    return trimPage(page, toRow);
  },
);

const detailFields = z.strictObject({
  ...rowFields,
  tags: z.array(z.string()),
  description: z.string().nullable(),
  startDate: z.string().nullable(),
  scheduledTime: z.string().nullable(),
  category: summary.nullable(),
  type: summary.nullable(),
  customEstimatedHours: z.string().nullable(),
  createdBy: summary,
  followers: z.array(summary),
  comments: z.array(summary),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const detail = z.strictObject({
  task: detailFields,
  commentsTotal: z.int().optional(),
  nextCommentsOffset: z.int().nullable().optional(),
});
type Detail = z.output<typeof detail>;

export const getTaskTool = tool(
  {
    name: 'get_task',
    title: 'Get a task',
    description: 'Everything about one task, with its last 10 comments.',
    access: 'tasks:read',
    hints: reads,
    input: taskIdInput.extend({
      commentsOffset: z.int().min(0).optional().meta({
        description: 'Instead of the last comments, 10 from here, oldest first.',
      }),
      textOffset,
    }),
    output: detail,
    lines: ({ task, ...comments }) => [
      toLine(task),
      line(
        `created ${task.createdAt} by ${task.createdBy.name}`,
        `updated ${task.updatedAt}`,
        task.startDate && `starts ${task.startDate}`,
        task.scheduledTime && `at ${task.scheduledTime}`,
        task.customEstimatedHours && `${task.customEstimatedHours} h`,
        task.category && `category ${task.category.value}`,
        task.type && `type ${task.type.value}`,
        task.tags.length > 0 && `tags ${task.tags.join(', ')}`,
      ),
      ...(task.description ? [`Description: ${task.description}`] : []),
      ...task.comments.map((each) => commentLine(each as unknown as Comment)),
      ...commentsNote(task.comments.length, comments),
    ],
  },
  async (ctx, { id, commentsOffset, textOffset: skip }) => {
    const task = await ctx.run(getTask, { id });
    const page =
      commentsOffset === undefined
        ? undefined
        : trimPage(
            await ctx.run(listComments, { id, limit: COMMENTS_A_CALL, offset: commentsOffset }),
            (each) => each,
          );
    const shown = {
      ...task,
      description: textFrom(task.description, skip),
      comments: (page?.data ?? task.comments).map((each) => ({
        ...each,
        content: each.content.slice(skip).toWellFormed(),
      })),
    };
    return {
      task: shown,
      ...(page && { commentsTotal: page.total, nextCommentsOffset: page.nextOffset }),
    };
  },
);

function commentLine({ id, author, createdAt, content }: Comment): string {
  return `Comment ${id}, ${line(author.name)}, ${createdAt}: ${content}`;
}

function commentsNote(
  shown: number,
  { commentsTotal: total, nextCommentsOffset: next }: Omit<Detail, 'task'>,
): string[] {
  if (typeof next === 'number') return [`${total} comments. More: call again with commentsOffset=${next}.`];
  if (total !== undefined) return [`${total} comments; none follow.`];
  if (shown < COMMENTS_A_CALL) return [];
  return ['These are the last comments; older ones may exist: commentsOffset=0 begins with the oldest.'];
}

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
    lines: ({ task }) => [`Created ${toLine(task)}`],
  },
  async (ctx, { project, assignee, ...draft }) => {
    const { projectId, userIds } = await ctx.resolve({ project, people: assignee ? [assignee] : [] });
    const input = { ...draft, projectId: projectId as number, assigneeId: userIds[0] };
    return { task: toRow(await ctx.run(createTask, input)) };
  },
);

export const updateTaskTool = tool(
  {
    name: 'update_task',
    title: 'Change a task',
    description: 'Fields left out stay; null clears. The project cannot change.',
    access: 'tasks:write',
    hints: replaces,
    input: taskUpdateInput
      .omit({ assigneeId: true })
      .extend({ assignee: personReference.nullish().meta({ description: 'null unassigns.' }), ...texts }),
    output: written,
    lines: ({ task }) => [`Now ${toLine(task)}`],
  },
  async (ctx, { assignee, ...changes }) => {
    const { userIds } = await ctx.resolve({ people: assignee ? [assignee] : [] });
    const assigneeId = assignee === null ? null : userIds[0];
    return { task: toRow(await ctx.run(updateTask, { ...changes, assigneeId })) };
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
    lines: ({ task }) => [`Now ${toLine(task)}`],
  },
  async (ctx, { id, isArchived }) => ({
    task: toRow(await ctx.run(isArchived ? archiveTask : unarchiveTask, { id })),
  }),
);
