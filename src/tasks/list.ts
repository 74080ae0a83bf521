import { withContents } from '../comment-contents/long-pages.ts';
import { toComment } from '../comments/comments.present.ts';
import { listCommentsOfPage } from '../comments/comments.queries.ts';
import { operation } from '../kernel/operation.ts';
import { page } from '../kernel/pagination.ts';
import { toTask } from '../task-model/tasks.present.ts';
import { listTasks as selectTasks } from '../task-model/tasks.queries.ts';
import {
  COMMENTS_BYTES,
  COMMENTS_CONTENT_BYTES,
  COMMENTS_IN_LIST,
  taskListInput,
  taskPage,
} from '../task-model/tasks.schema.ts';
import { readTaskPage } from '../task-pages/read-page.ts';

const commentLimits = (tasks: number) => ({
  tasks,
  comments: COMMENTS_IN_LIST,
  contentBytes: COMMENTS_CONTENT_BYTES,
  allBytes: COMMENTS_BYTES,
});

export const listTasks = operation(
  {
    name: 'listTasks',
    summary: 'List tasks, newest first',
    description:
      'Everything that your role sees, with an exact total; filters narrow it together. The Link header leads to the next page.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskListInput,
    output: taskPage,
  },
  async (ctx, input) => {
    const { db, caller } = ctx;
    const { extra, ...found } = await readTaskPage(ctx, input, {
      list: selectTasks,
      beside: (ids, tasks) =>
        input.expand?.includes('comments') ? [listCommentsOfPage(caller, ids, commentLimits(tasks))] : [],
    });
    const commentsOf = extra && Map.groupBy(await withContents(db, caller, extra), (row) => row.task);
    return page({
      ...found,
      show: (row) => ({
        ...toTask(row),
        ...(commentsOf && { comments: (commentsOf.get(row.id) ?? []).map(toComment) }),
      }),
    });
  },
);
