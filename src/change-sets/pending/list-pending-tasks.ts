import type * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { readFromTables, readNumber, readNumberIfUnchanged } from '../../kernel/sql/database.ts';
import { toPageFilter } from '../../tasks/list/page-filter.ts';
import { readTaskPage } from '../../tasks/list/read-page.ts';
import { selectRequestedCount, selectRequestedPage } from '../../tasks/list/requested-tasks.queries.ts';
import { compareSortKeys } from '../../tasks/model/sort-keys.ts';
import { getSortKey } from '../../tasks/model/task-orders.queries.ts';
import { toAssignees } from '../../tasks/model/tasks.present.ts';
import { type ListedRow, listTasks as selectTasks } from '../../tasks/model/tasks.queries.ts';
import { dateFieldNames, type TaskListInput } from '../../tasks/model/tasks.schema.ts';
import { listTasks, toListedTask } from '../../tasks/operations/list-tasks.ts';
import { ITEMS_MAX } from '../model/limits.ts';
import { readOpenSet, toPendingTasks } from './pending-set.ts';
import { buildPendingTables } from './pending-tasks.queries.ts';

/** Removes the changed tasks from the stored page, and adds their staged versions if they match the filter. */
export async function listPendingTasks(ctx: Context, input: z.output<typeof listTasks.input>) {
  const { db, caller } = ctx;
  requireSupportedOptions(input);
  const pending = await readOpenSet(ctx);
  if (pending.ids.length === 0) return listTasks.handler(ctx, input);
  const columns = {
    isDated: (input.fields ?? []).some((name) => dateFieldNames.includes(name)),
    hasAssignees: input.expand?.includes('assignees') ?? false,
  };
  const { sort } = input;
  const filter = toPageFilter(caller, input);
  const range = toRange(input, sort === 'created' ? 1 : 2);
  const requestTasks = (ids: readonly number[]) => ({ ids, parent: undefined, search: input.search });
  if (filter.named?.parent !== undefined) throw unsupportedOptionError('parentId');
  const wanted = filter.named?.ids;
  const staged = wanted ? wanted.filter((id) => pending.folded.tasks.has(id)) : pending.ids;
  const others = wanted ? wanted.filter((id) => !pending.folded.tasks.has(id)) : null;
  const stored =
    others?.length === 0
      ? { total: 0, rows: [] }
      : await readTaskPage<ListedRow, never>(
          ctx,
          { ...input, ...(others && { ids: others }), limit: input.limit + pending.ids.length },
          { list: (ids, by) => selectTasks(ids, by, columns) },
        );
  const tables = buildPendingTables(caller, toPendingTasks(pending, ctx.now));
  const page = selectRequestedPage(caller, filter, requestTasks(staged), sort, {
    ...range,
    limit: ITEMS_MAX,
  });
  const isCounted = others === null && staged.length > 0;
  const [before, rows, after] = await db.batch([
    readNumberIfUnchanged(
      selectRequestedCount(caller, filter, requestTasks(isCounted ? staged : [])),
      pending.isUnchanged,
    ),
    readFromTables(selectTasks(page, sort, columns), tables),
    ...(range.after === null
      ? []
      : [readFromTables(readNumber(selectRequestedCount(caller, filter, requestTasks(staged))), tables)]),
  ] as const);
  const unstaged = stored.rows.filter(({ id }) => !pending.folded.tasks.has(id));
  const getKey = (row: ListedRow) => getSortKey(row, sort);
  const merged = [...unstaged, ...rows].toSorted((one, other) =>
    compareSortKeys(getKey(one), getKey(other), sort !== 'due'),
  );
  return buildPage({
    range,
    // On the first page, `rows` contains every match among the staged tasks.
    total: stored.total - before + (typeof after === 'number' ? after : rows.length),
    rows: merged.slice(0, range.limit + 1),
    key: getKey,
    show: (row) => ({ ...toListedTask(row, columns.isDated), ...toAssignees(row) }),
  });
}

function requireSupportedOptions({ expand = [], offset, createdFrom, createdTo }: TaskListInput) {
  if (expand.some((part) => part !== 'assignees')) throw unsupportedOptionError('expand');
  if (offset > 0) throw unsupportedOptionError('offset');
  if (createdFrom !== undefined || createdTo !== undefined)
    throw unsupportedOptionError('A creation date filter');
}

function unsupportedOptionError(what: string) {
  return invalidRequestError(`${what} can't be used while a change set is open. Leave it out.`);
}
