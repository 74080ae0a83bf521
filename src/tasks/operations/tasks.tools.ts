import * as z from 'zod';
import { defineTool, readOnlyHints, type ToolContext } from '../../kernel/tools/tool.ts';
import { partialResultNote, toolPageFields, toolPageInput, trimPage } from '../../kernel/tools/tool-page.ts';
import { taskListInput, taskStatuses } from '../model/tasks.schema.ts';
import { listTasks } from './list-tasks.ts';
import { taskRow, toTaskLine, toTaskRow } from './task-row.ts';
import { resolveToolFilter, taskFilterInput } from './tool-filter.ts';

const listInputFields = taskListInput.shape;

export const findTasks = defineTool(
  {
    name: 'find_tasks',
    title: 'Find tasks',
    description: 'List tasks, newest first.',
    access: 'tasks:read',
    hints: readOnlyHints,
    input: z.strictObject({
      ...taskFilterInput.shape,
      isArchived: listInputFields.isArchived.meta({ description: undefined }),
      scope: listInputFields.scope.meta({ description: '`mine`: in your projects or followed by you.' }),
      sort: listInputFields.sort.unwrap().optional().meta({ description: '`due`: earliest first.' }),
      counts: z.literal(true).optional().meta({ description: 'Also count tasks per status.' }),
      ...toolPageInput,
    }),
    output: z.strictObject({
      data: z.array(taskRow),
      ...toolPageFields,
      counts: z.record(z.string(), z.int()).optional(),
      note: partialResultNote,
    }),
    publishesOutput: true,
    fields: { projectId: 'project', assigneeId: 'assignee', parentId: 'parent', tags: 'labels' },
    covers: { listTasks: '' },
    lines: ({ data, counts }) => [
      ...data.map(toTaskLine),
      ...(counts
        ? [
            `By status: ${Object.entries(counts)
              .map(([status, count]) => `${status} ${count}`)
              .join(', ')}`,
          ]
        : []),
    ],
  },
  async (ctx, { scope, isArchived, sort, counts, limit, cursor, ...given }) => {
    const filter = { ...(await resolveToolFilter(ctx, given)), isArchived, ...(scope && { scope }) };
    const page = trimPage(
      await ctx.list(listTasks, { ...filter, sort, limit, cursor, expand: ['assignees'] }),
      toTaskRow,
    );
    return counts ? { ...page, counts: await countTasksByStatus(ctx, filter) } : page;
  },
);

async function countTasksByStatus(ctx: ToolContext, filter: z.input<typeof listTasks.input>) {
  const wanted = taskStatuses.filter((status) => {
    const { status: asked } = filter;
    return !asked || asked.includes(status) || (asked.includes('open') && status !== 'completed');
  });
  const pages = await Promise.all(
    wanted.map((status) => ctx.run(listTasks, { ...filter, status: [status], limit: 1 })),
  );
  return Object.fromEntries(wanted.map((status, index) => [status, pages[index]?.meta.total ?? 0]));
}
