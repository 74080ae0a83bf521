// This file is long because the columns, indexes and page statements of each sort order have to match.
import {
  canMergeAsUnion,
  type MergeOrder,
  mergePage,
  mergePageAsUnion,
  selectConstants,
  unionByKind,
} from '../../kernel/lists/merge-page.queries.ts';
import {
  buildLimit,
  countRowsToRead,
  isAfter,
  type PageRange,
  type SortColumn,
} from '../../kernel/lists/pagination.ts';
import {
  aliasTable,
  type ColumnNameOf,
  type Columns,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { otherAssignees, tasks } from '../../schema/cell/tasks.ts';

const q = aliasTable(otherAssignees, 'q');
const t = aliasTable(tasks, 't');
const u = aliasTable(tasks, 'u');

/*
 * Any set of tasks can be sorted in each of these orders. If an order has an index, a page can also be built by merging
 * ranges of that index.
 */

/** Every order ends with a unique column, so that pages neither skip nor repeat tasks. */
const sortOrders = {
  due: [['due'], ['id']],
  created: [['id', 'DESC']],
  updated: [
    ['updated_at', 'DESC'],
    ['id', 'DESC'],
  ],
  name: [['name_key'], ['id']],
  status: [['status'], ['id']],
} as const satisfies Record<string, readonly (readonly [ColumnNameOf<typeof tasks>, 'DESC'?])[]>;
export type TaskSort = keyof typeof sortOrders;

/**
 * `table` is the prefix of the columns. It can be empty if no other table in the statement has columns with these
 * names.
 */
export function getSortColumns(sort: TaskSort, table: '' | 't.' = ''): SortColumn[] {
  return sortOrders[sort].map(([name, direction]) => ({
    column: sql.raw(table + name),
    isDescending: direction === 'DESC',
  }));
}

export function buildOrderBy(sort: TaskSort, table: '' | 't.' = ''): SQL {
  return sql.raw(
    sortOrders[sort].map(([name, direction]) => [table + name, direction].join(' ').trim()).join(', '),
  );
}

/** `hand` is the order in which people have arranged the cards. */
export type PageSort = 'created' | 'due' | 'updated' | 'hand';

/** The statement must use the aliases `page` for the page and `t` for its tasks. */
export function buildPageOrderBy(sort: PageSort): SQL {
  if (sort === 'hand') return sql`page.anchor DESC, page.place DESC, page.id DESC`;
  return sort === 'created' ? sql`page.id DESC` : buildOrderBy(sort, 't.');
}

export function getSortKey<S extends TaskSort>(
  row: Readonly<Partial<Record<(typeof sortOrders)[S][number][0], string | number>>>,
  sort: S,
): (string | number)[] {
  return sortOrders[sort].map(([name]) => row[name as keyof typeof row] as string | number);
}

export function selectSortedTasks<R>(
  tasks: SQL,
  selected: Columns<R>,
  sort: TaskSort,
  range: PageRange,
): SQL<R> {
  return withType(sql`
    SELECT ${selected} FROM (${tasks}) WHERE ${isAfter(range, getSortColumns(sort))}
    ORDER BY ${buildOrderBy(sort)} ${buildLimit(range)}`);
}

/** Keys are text or numbers that sort in the same order as the tasks. */
export interface TaskOrder extends Omit<MergeOrder, 'columns'> {
  /** Each range of an index contains the tasks of one workspace, project or assignee with one value in this column. */
  dividedBy: 'archived_status' | 'bucket';
  indexes: { workspace: string; project: string; assignee: string };
  key: SQL;
  keyColumns: SortColumn[];
  after: SQL;
  order: SQL;
  /** Set if the index contains the sort columns as they are, so that it can be read in order. */
  asIndexed?: { columns: SQL; order: SQL };
}

const bucketIndexes = {
  workspace: 'tasks_by_workspace',
  project: 'tasks_by_project',
  assignee: 'tasks_by_assignee',
};

export const taskOrders: Record<'due' | 'status' | 'created', TaskOrder> = {
  due: {
    dividedBy: 'archived_status',
    indexes: {
      workspace: 'tasks_by_due',
      project: 'tasks_by_project_due',
      assignee: 'tasks_by_assignee_due',
    },
    key: sql`${t.due} || printf('%015d', ${t.id})`,
    end: sql`'~'`,
    keyColumns: getSortColumns('due', 't.'),
    after: sql`(${t.due} > substr(m.key, 1, 10)
      OR (${t.due} = substr(m.key, 1, 10) AND ${t.id} > CAST(substr(m.key, 11) AS INTEGER)))
      AND ${t.due} >= substr(m.key, 1, 10)`,
    order: buildOrderBy('due', 't.'),
    asIndexed: { columns: selectColumns({ id: t.id, due: t.due }), order: buildOrderBy('due') },
    isDescending: false,
    id: sql`CAST(substr(key, 11) AS INTEGER)`,
  },
  status: {
    dividedBy: 'bucket',
    indexes: bucketIndexes,
    key: sql`${t.status} || printf('%015d', ${t.id})`,
    end: sql`'~'`,
    keyColumns: getSortColumns('status', 't.'),
    after: sql`${t.id} > CAST(substr(m.key, 2) AS INTEGER)`,
    order: t.id,
    isDescending: false,
    id: sql`CAST(substr(key, 2) AS INTEGER)`,
  },
  created: {
    dividedBy: 'bucket',
    indexes: bucketIndexes,
    key: t.id,
    end: sql`-1`,
    keyColumns: getSortColumns('created', 't.'),
    after: sql`${t.id} < m.key`,
    order: buildOrderBy('created', 't.'),
    asIndexed: { columns: selectColumns({ id: t.id }), order: buildOrderBy('created') },
    isDescending: true,
    id: sql`key`,
  },
};

/**
 * Ranges of an index that contain the tasks of `owners`: people, projects or the workspace. `remaining` is a condition
 * that the index can't check.
 */
export interface TaskRanges {
  owners: SQL;
  isOneOwner: boolean;
  index: string;
  column: 'ws' | 'project' | 'assignee';
  remaining?: SQL;
  /** If set, the ranges are in `other_assignees`, which is then read under the alias `t`. */
  readsOtherAssignees?: true;
}

/**
 * Columns that filters and sorting need, but that `other_assignees` doesn't have. SQLite reads only those that a
 * statement uses.
 */
const columnsOfTask = (['updated_at', 'open_blockers', 'label_keys', 'field_values'] as const).map(
  (column) => sql`(SELECT ${u[column]} FROM ${u} WHERE ${u.id} = ${q.id}) AS ${sql.raw(column)}`,
);

export function buildIndexSource({
  index,
  readsOtherAssignees,
}: Pick<TaskRanges, 'index' | 'readsOtherAssignees'>): SQL {
  if (!readsOtherAssignees) return sql`${t} INDEXED BY ${sql.raw(index)}`;
  return sql`(SELECT q.*, ${sql.join(columnsOfTask, sql`, `)}
    FROM ${otherAssignees} AS q INDEXED BY ${sql.raw(index)}) t`;
}

export function findSingleOwnerSource(sources: readonly TaskRanges[]): TaskRanges | null {
  const [only, ...others] = sources;
  return only?.isOneOwner && others.length === 0 ? only : null;
}

export function buildTaskRangeFromClause(
  { owners, column, remaining = sql`true`, ...source }: TaskRanges,
  { dividedBy }: TaskOrder,
  divider: number,
): SQL {
  return sql`${buildIndexSource(source)}
    WHERE ${t[column]} = (${owners}) AND ${t[dividedBy]} = ${divider} AND ${remaining}`;
}

interface PageBounds {
  from?: string | undefined;
  /** A condition that starts with `AND` and can limit the index range. */
  until?: SQL;
  /** The maximum number of sources that can contain the same task. */
  repeatsMax?: number;
}

/** Selects each task once, even if several ranges contain it. */
export function selectMergedPage(
  sources: readonly TaskRanges[],
  order: TaskOrder,
  dividers: readonly number[],
  range: PageRange,
  { from, until = sql``, repeatsMax = sources.length > 1 ? 2 : 1 }: PageBounds = {},
): SQL {
  // A page that starts at a cursor doesn't need `from`. A second lower bound would make SQLite search the index again
  // for every task.
  const lower = from === undefined || range.after ? sql`` : sql`AND ${t.due} >= ${from}`;
  const afterCursor = sql`${isAfter(range, order.keyColumns)} ${lower}`;
  const { asIndexed } = order;
  const isUnion =
    sources.length === 1 ||
    (repeatsMax === 1 && sources.some(({ readsOtherAssignees }) => readsOtherAssignees));
  if (asIndexed && isUnion && canMergeAsUnion(dividers) && sources.every(({ isOneOwner }) => isOneOwner)) {
    const pages = sources.map((source) =>
      dividers.map(
        (divider) =>
          sql`SELECT ${asIndexed.columns} FROM ${buildTaskRangeFromClause(source, order, divider)} AND ${afterCursor} ${until}`,
      ),
    );
    const [only = []] = pages;
    if (pages.length === 1) return mergePageAsUnion(only, asIndexed.order, range);
    // Reads a separate page from each source, because D1 limits the number of SELECTs in a union.
    const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
    const tops = pages.map(
      (ranges) =>
        sql`SELECT * FROM (${sql.join(ranges, sql` UNION ALL `)} ORDER BY ${asIndexed.order} ${buildLimit(upTo)})`,
    );
    return mergePageAsUnion(tops, asIndexed.order, range);
  }
  const ranges = sql`
    WITH owners (kind, owner) AS (${unionByKind(sources.map(({ owners }) => owners))})
    SELECT o.kind, o.owner, b.column1 AS bucket FROM ${selectConstants(dividers)} b CROSS JOIN owners o`;
  const readers = sources.map(({ column, remaining = sql`true`, ...source }) => {
    const selectNearest = (condition: SQL) => sql`(
      SELECT ${order.key} FROM ${buildIndexSource(source)}
      WHERE ${t[column]} = m.owner AND ${t[order.dividedBy]} = m.bucket AND ${remaining}
      AND ${condition} ${until} ORDER BY ${order.order} LIMIT 1)`;
    return { first: selectNearest(afterCursor), next: selectNearest(order.after) };
  });
  return mergePage({ ranges, readers, repeatsMax }, { ...order, columns: ['owner', 'bucket'] }, range);
}

/**
 * The maximum number of matches to sort. With more matches, following an index and skipping other tasks reads fewer
 * rows.
 */
export const NARROW_MATCHES_MAX = 3_000;

export function buildConditionalLimit(condition: SQL, range: PageRange): SQL {
  return sql`LIMIT CASE WHEN ${condition} THEN ${countRowsToRead(range)} ELSE 0 END OFFSET ${range.offset}`;
}
