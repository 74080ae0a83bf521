import * as z from 'zod';
import { listComments } from '../comments/comments.ts';
import { line, reads, summary, textFrom, textOffset, tool, trimPage } from '../kernel/tool.ts';
import { taskDetail, taskIdInput } from '../task-model/tasks.schema.ts';
import { taskLine, toTaskRow } from './task-row.ts';
import { getTask } from './tasks.ts';

const COMMENTS_A_CALL = 10;

const comment = z.strictObject({
  id: z.int(),
  content: z.string(),
  author: summary,
  createdAt: z.string(),
});
const output = z.strictObject({
  task: z.strictObject({ ...taskDetail.shape, comments: z.array(comment) }),
  commentsTotal: z.int().optional(),
  nextCommentsOffset: z.int().nullable().optional(),
});
type Output = z.output<typeof output>;

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
    output,
    lines: ({ task, ...counts }) => [
      taskLine(toTaskRow(task)),
      line(
        `project ${task.project.name}`,
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
      ...task.comments.map(
        ({ id, author, createdAt, content }) =>
          `Comment ${id}, ${line(String(author.name))}, ${createdAt}: ${content}`,
      ),
      ...commentsNote(task.comments.length, counts),
    ],
  },
  async (ctx, { id, commentsOffset, textOffset: skip }) => {
    const task = await ctx.run(getTask, { id });
    const range = { id, limit: COMMENTS_A_CALL, offset: commentsOffset };
    const page =
      commentsOffset === undefined ? null : trimPage(await ctx.run(listComments, range), (each) => each);
    const comments = (page?.data ?? task.comments).map((each) => ({
      ...each,
      content: textFrom(each.content, skip) ?? '',
    }));
    return {
      task: { ...task, description: textFrom(task.description, skip), comments },
      ...(page && { commentsTotal: page.total, nextCommentsOffset: page.nextOffset }),
    };
  },
);

function commentsNote(
  shown: number,
  { commentsTotal: total, nextCommentsOffset: next }: Omit<Output, 'task'>,
): string[] {
  if (typeof next === 'number') return [`${total} comments. More: call again with commentsOffset=${next}.`];
  if (total !== undefined) return [`${total} comments; none follow.`];
  if (shown < COMMENTS_A_CALL) return [];
  return ['These are the last comments; older ones may exist: commentsOffset=0 begins with the oldest.'];
}
