import { withContents } from '../comment-contents/long-pages.ts';
import { toComment } from '../comments/comments.present.ts';
import { listCommentsOfPage } from '../comments/comments.queries.ts';
import { countInWorkspace, countMine, memberOrAll } from '../counters/counts.queries.ts';
import { idsInOrder, type SQL, type Statement } from '../kernel/database.ts';
import { walkTo } from '../kernel/deep-offset.ts';
import { type Context, operation } from '../kernel/operation.ts';
import { page, rangeOf } from '../kernel/pagination.ts';
import { firstParts } from '../search/search.queries.ts';
import { isUnfinished, searchPage, sumOf } from '../search/search.ts';
import { bucketsMatching } from '../task-model/buckets.ts';
import { toTask } from '../task-model/tasks.present.ts';
import { listTasks as selectTasks } from '../task-model/tasks.queries.ts';
import {
  COMMENTS_BYTES,
  COMMENTS_CONTENT_BYTES,
  COMMENTS_IN_LIST,
  type TaskListInput,
  taskListInput,
  taskPage,
} from '../task-model/tasks.schema.ts';
import { needsMine, type PageFilter, taskPageIds } from './pages.queries.ts';
import { countMatches, listNewestOfPart, searchPageIds } from './search-pages.queries.ts';

const commentLimits = (tasks: number) => ({
  tasks,
  comments: COMMENTS_IN_LIST,
  contentBytes: COMMENTS_CONTENT_BYTES,
  allBytes: COMMENTS_BYTES,
});

/** Rows that a batch may skip: about 20 ms of the cell. */
const OFFSET_STEP = 50_000;

export const listTasks = operation(
  {
    name: 'listTasks',
    summary: 'List tasks, newest first',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskListInput,
    output: taskPage,
  },
  async ({ db, caller }, input) => {
    const filter: PageFilter = {
      buckets: bucketsMatching(input),
      projectId: input.projectId,
      assigneeId: input.assigneeId,
      onlyMine: wantsMine(input, caller.credential.kind),
    };
    const range = rangeOf(input, 1);
    const [total, rows, expanded] = await (input.search
      ? search(input.search)
      : db.batch([count(), ...select(taskPageIds(caller, filter, await walked()))]));
    const commentsOf = expanded && Map.groupBy(await withContents(db, caller, expanded), (row) => row.task);
    return page({
      range,
      total,
      rows,
      key: (row) => [row.id],
      show: (row) => ({
        ...toTask(row),
        ...(commentsOf && { comments: (commentsOf.get(row.id) ?? []).map(toComment) }),
      }),
    });

    function walked() {
      return walkTo(range, {
        step: OFFSET_STEP,
        count: async () => (await db.batch([count()]))[0],
        find: async (part) => {
          const [[row]] = await db.batch([selectTasks(taskPageIds(caller, filter, part))]);
          return row ? [row.id] : null;
        },
      });
    }

    function select(ids: SQL) {
      const comments = input.expand?.includes('comments')
        ? [listCommentsOfPage(caller, ids, commentLimits(range.limit + 1))]
        : [];
      return [selectTasks(ids), ...comments] as const;
    }

    function count(): Statement<number> {
      if (needsMine(caller, filter)) return countMine(caller, filter);
      return countInWorkspace(caller, filter.buckets, memberOrAll(caller, input.assigneeId), input.projectId);
    }

    async function search(text: string) {
      const parts = firstParts(caller, text, input.isArchived);
      const [tallies, rows, expanded] = await db.batch([
        countMatches(caller, parts, filter),
        ...select(searchPageIds(caller, parts, filter, range)),
      ]);
      if (!isUnfinished(parts, tallies)) return [sumOf(tallies), rows, expanded] as const;
      const { total, ids } = await searchPage(db, {
        parts,
        range,
        tally: (part) => countMatches(caller, [part], filter),
        rows: (part, upTo) => listNewestOfPart(caller, part, filter, upTo),
        compare: (one, other) => other.id - one.id,
      });
      return [total, ...(await db.batch(select(idsInOrder(ids))))] as const;
    }
  },
);

/** `scope` wins over `mine`, and both over the default of the credential (docs/contract.md#listing-tasks). */
function wantsMine({ scope, mine }: TaskListInput, kind: Context['caller']['credential']['kind']): boolean {
  if (scope !== undefined) return scope === 'mine';
  return mine ?? kind === 'session';
}
