import { toComment } from '../comments/comments.present.ts';
import { listCommentsOfPage } from '../comments/comments.queries.ts';
import type { Statement } from '../kernel/database.ts';
import { type Context, operation } from '../kernel/operation.ts';
import { page, rangeOf } from '../kernel/pagination.ts';
import { bucketsMatching } from './buckets.ts';
import { countInWorkspace, countMine, memberOrAll } from './counts.queries.ts';
import { needsMine, type PageFilter, taskPageIds } from './pages.queries.ts';
import { countMatches, searchPageIds } from './search.queries.ts';
import { toTask } from './tasks.present.ts';
import { listTasks as selectTasks } from './tasks.queries.ts';
import { type TaskListInput, taskListInput, taskPage } from './tasks.schema.ts';

const COMMENTS_IN_LIST = 100;

export const listTasks = operation(
  {
    name: 'listTasks',
    summary: 'List tasks, newest first',
    access: 'tasks:read',
    effect: 'read',
    input: taskListInput,
    output: taskPage,
  },
  async ({ db, caller, request }, input) => {
    const filter: PageFilter = {
      buckets: bucketsMatching(input),
      projectId: input.projectId,
      assigneeId: input.assigneeId,
      onlyMine: wantsMine(input, caller.credential.kind),
    };
    const range = rangeOf(input, 1);
    const ids = input.search
      ? searchPageIds(caller, input.search, filter, range)
      : taskPageIds(caller, filter, range);
    const comments = input.expand?.includes('comments')
      ? [listCommentsOfPage(caller, ids, COMMENTS_IN_LIST)]
      : [];
    const [total, rows, expanded] = await db.batch([count(), selectTasks(ids), ...comments]);
    const commentsOf = expanded && Map.groupBy(expanded, (row) => row.task);
    return page(request, {
      range,
      total,
      rows,
      key: (row) => [row.id],
      show: (row) => ({
        ...toTask(row),
        ...(commentsOf && { comments: (commentsOf.get(row.id) ?? []).map(toComment) }),
      }),
    });

    function count(): Statement<number> {
      if (input.search) return countMatches(caller, input.search, filter);
      if (needsMine(caller, filter)) return countMine(caller, filter);
      return countInWorkspace(caller, filter.buckets, memberOrAll(caller, input.assigneeId), input.projectId);
    }
  },
);

/** Rules 1 to 4 of spec 4.4: `scope` wins over `mine`, and both over the default of the credential. */
function wantsMine({ scope, mine }: TaskListInput, kind: Context['caller']['credential']['kind']): boolean {
  if (scope !== undefined) return scope === 'mine';
  return mine ?? kind === 'session';
}
