import * as z from 'zod';
import { integerId } from '../kernel/schema.ts';
import { adds, pick, summary, tool } from '../kernel/tool.ts';
import { line } from '../kernel/tool-text.ts';
import { commentContent } from './comments.schema.ts';
import { addComment } from './comments.ts';

export const addCommentTool = tool(
  {
    name: 'add_comment',
    title: 'Comment on a task',
    description: 'Followers of the task are notified. @[id of a person] mentions somebody.',
    access: 'tasks:write',
    hints: adds,
    input: z.strictObject({ taskId: integerId, content: commentContent.meta({ description: undefined }) }),
    fields: { id: 'taskId' },
    output: z.strictObject({ id: z.int(), author: summary, createdAt: z.string() }),
    lines: ({ id, author, createdAt }) => [line(`Comment ${id} added`, String(author.name), createdAt)],
  },
  async (ctx, { taskId, content }) =>
    pick(await ctx.run(addComment, { id: taskId, content }), 'id', 'author', 'createdAt'),
);
