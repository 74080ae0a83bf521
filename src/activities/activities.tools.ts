import * as z from 'zod';
import { integerId } from '../kernel/schema.ts';
import { line, pageOfTool, pick, reads, summary, tool, toolPage, trimPage } from '../kernel/tool.ts';
import { listActivities } from './activities.ts';

const entry = z.strictObject({
  id: z.int(),
  type: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  actor: summary,
  via: z.string(),
  commentId: z.int().nullable(),
  createdAt: z.string(),
});

export const listTaskHistory = tool(
  {
    name: 'list_task_history',
    title: "List a task's history",
    description: 'Who changed what, newest first.',
    access: 'tasks:read',
    hints: reads,
    input: z.strictObject({ taskId: integerId, ...pageOfTool }),
    output: toolPage(entry),
    fields: { id: 'taskId' },
    lines: ({ data }) =>
      data.map((each) =>
        line(
          each.createdAt,
          String(each.actor.name),
          each.type,
          each.from !== null && `from ${each.from}`,
          each.to !== null && `to ${each.to}`,
          each.commentId !== null && `comment ${each.commentId}`,
          `via ${each.via}`,
        ),
      ),
  },
  async (ctx, { taskId, ...range }) =>
    trimPage(await ctx.run(listActivities, { id: taskId, ...range }), ({ actor, field: _, ...each }) => ({
      ...each,
      actor: pick(actor, 'id', 'name'),
    })),
);
