import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { selectIdsInOrder, WriteConflictError } from '../../kernel/sql/database.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { readLongContents, splitIntoBatches } from '../comment-contents/long-contents.ts';
import { toComment } from '../comments/comments.present.ts';
import { listTaskComments, type PagedCommentRow } from '../comments/comments.queries.ts';
import { toListedFields } from '../custom-fields/field-values.ts';
import { readTaskPage } from '../list/read-page.ts';
import { requireExpandedFields } from '../model/tasks.policy.ts';
import {
  toAssignees,
  toListedDetail,
  toRequestedFields,
  toStructure,
  toTask,
} from '../model/tasks.present.ts';
import {
  type ListedRow,
  listPagedDetails,
  listTaskDetails,
  type PagedDetailRow,
  parseExpansion,
  listTasks as selectTasks,
  type TaskDetailRow,
} from '../model/tasks.queries.ts';
import {
  COMMENTS_BYTES_MAX,
  COMMENTS_CONTENT_BYTES_MAX,
  DETAILS_BYTES_MAX,
  DETAILS_IN_LIST_MAX,
  dateFieldNames,
  detailFieldNames,
  LISTED_COMMENTS_MAX,
  PAGE_BYTES_MAX,
  TASK_BYTES_MAX,
  type TaskListInput,
  taskListInput,
  taskPage,
} from '../model/tasks.schema.ts';

const getCommentLimits = (tasks: number) => ({
  tasks,
  comments: LISTED_COMMENTS_MAX,
  contentBytes: COMMENTS_CONTENT_BYTES_MAX,
  allBytes: COMMENTS_BYTES_MAX,
});

export const listTasks = defineOperation(
  {
    name: 'listTasks',
    summary: 'List tasks, newest first',
    description:
      'Returns every task visible to your role, with an exact total. Filters can be combined. The Link header points to the next page.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskListInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: taskPage,
  },
  async (ctx, input) => {
    const { db, caller } = ctx;
    const { expand = [], fields = [], limit } = input;
    requireDetailExpanded(input);
    requireExpandedFields(input);
    const isDetailed = expand.includes('detail');
    const expansion = parseExpansion(caller, expand);
    const isDated = fields.some((name) => dateFieldNames.includes(name));
    const { extra, definitions, ...found } = await readTaskPage<ListedRow | PagedDetailRow, PagedCommentRow>(
      ctx,
      input,
      {
        list: (ids, sort) =>
          isDetailed
            ? listPagedDetails(ids, sort, expansion)
            : selectTasks(ids, sort, { isDated, ...expansion }),
        readAlongside: (ids, tasks) =>
          expand.includes('comments') ? [listTaskComments(caller, ids, getCommentLimits(tasks))] : [],
        hasFields: expand.includes('customFields'),
      },
    );
    const commentsOf = extra && Map.groupBy(await readLongContents(db, caller, extra), (row) => row.task);
    if (definitions) rejectOversizedFields(found.rows.slice(0, limit), expand);
    const long = await readLongDescriptions(ctx, found.rows.slice(0, limit));
    return buildPage({
      ...found,
      show: (row) => ({
        ...('bytes' in row ? toListedDetail(long.get(row.id) ?? row) : toListedTask(row, isDated)),
        ...toRequestedFields(row, input),
        ...toStructure(row),
        ...(definitions && { customFields: toListedFields(definitions, row) }),
        ...toAssignees(row),
        ...(commentsOf && { comments: (commentsOf.get(row.id) ?? []).map(toComment) }),
      }),
    });
  },
);

/**
 * `isDated` adds `createdAt` and `updatedAt`. Rows of a list that is sorted by last change contain `updated_at` even if
 * `isDated` is false.
 */
export function toListedTask(row: ListedRow, isDated: boolean) {
  const { created_at: createdAt = 0, updated_at: updatedAt = 0 } = row;
  const shown = isDated && { createdAt: toTimestamp(createdAt), updatedAt: toTimestamp(updatedAt) };
  return { ...toTask(row), ...shown };
}

function requireDetailExpanded({ expand = [], fields = [], limit }: TaskListInput) {
  if (expand.includes('detail')) {
    if (limit <= DETAILS_IN_LIST_MAX) return;
    throw invalidRequestError(
      `limit must be at most ${DETAILS_IN_LIST_MAX} with expand=detail; got ${limit}`,
      'limit',
    );
  }
  const missing = fields.find((name) => detailFieldNames.includes(name) && !dateFieldNames.includes(name));
  if (missing === undefined) return;
  throw invalidRequestError(`fields must not include ${missing} without expand=detail; send both`, 'fields');
}

async function readLongDescriptions({ db, caller }: Context, rows: readonly (ListedRow | PagedDetailRow)[]) {
  const detailed = rows.filter((row) => 'bytes' in row);
  rejectOversizedDescriptions(detailed);
  const long = new Map<number, TaskDetailRow>();
  for (const ids of splitIntoBatches(detailed.filter((row) => row.bytes > 0 && row.description === null))) {
    const [found] = await db.batch([listTaskDetails(caller, selectIdsInOrder(ids), Number.MAX_SAFE_INTEGER)]);
    for (const row of found) long.set(row.id, row);
    // A task is missing if, after the page was read, it was deleted or the caller lost access to it.
    if (found.length < ids.length) throw new WriteConflictError();
  }
  return long;
}

/**
 * Custom field values are usually short. Only hostile ones can exceed the space that comments and descriptions leave in
 * a response.
 */
function rejectOversizedFields(rows: readonly ListedRow[], expand: readonly string[]) {
  const encoder = new TextEncoder();
  const perTask = TASK_BYTES_MAX + (expand.includes('comments') ? COMMENTS_BYTES_MAX : 0);
  const texts = expand.includes('detail') ? 2 * DETAILS_BYTES_MAX : 0;
  let [left, fitting] = [PAGE_BYTES_MAX - texts, 0];
  for (const { field_values } of rows) {
    left -= perTask + (field_values ? encoder.encode(field_values).length : 0);
    if (left >= 0) fitting += 1;
  }
  if (left >= 0) return;
  throw invalidRequestError(
    `The custom fields on a page of ${rows.length} tasks are too long. Send limit=${Math.max(1, fitting)}.`,
    'limit',
  );
}

function rejectOversizedDescriptions(rows: readonly PagedDetailRow[]) {
  let [bytes, fitting] = [0, 0];
  for (const row of rows) {
    bytes += row.bytes;
    if (bytes <= DETAILS_BYTES_MAX) fitting += 1;
  }
  if (bytes <= DETAILS_BYTES_MAX) return;
  throw invalidRequestError(
    `The descriptions on a page must be at most ${formatNumber(DETAILS_BYTES_MAX)} bytes; got ${formatNumber(bytes)} for ${rows.length} tasks. Send limit=${fitting}.`,
    'limit',
  );
}
