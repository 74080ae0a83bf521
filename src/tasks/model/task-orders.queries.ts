import {
  areFew,
  byKind,
  constants,
  type MergeOrder,
  mergePage,
  pageOfFew,
} from '../../kernel/lists/merge-page.queries.ts';
import { isAfter, limitOf, type Range, rowsRead, type SortColumn } from '../../kernel/lists/pagination.ts';
import { type Columns, columns, type NameOf, names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const t = names(tasks, 't');

/*
 * The orders that lists of tasks offer. Each can sort any matches. Those with an index can also be walked: a page then
 * merges sorted ranges of that index.
 */

/** Column names, the same in `tasks` and in what is sorted. The last one is unique. */
const sortOrders = {
  due: [['due'], ['id']],
  created: [['id', 'DESC']],
  updated: [
    ['updated_at', 'DESC'],
    ['id', 'DESC'],
  ],
  name: [['name_key'], ['id']],
  status: [['status'], ['id']],
} as const satisfies Record<string, readonly (readonly [NameOf<typeof tasks>, 'DESC'?])[]>;
export type TaskSort = keyof typeof sortOrders;

/** @param table prefix of the columns, such as `t.`; empty if only one table has them. */
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

/** How a page of tasks is sorted: `hand` is the manual order of cards. */
export type PageSort = 'created' | 'due' | 'updated' | 'hand';

/** The order of the rows of a page that was selected as `page`. */
export function buildPageOrderBy(sort: PageSort): SQL {
  if (sort === 'hand') return sql`page.anchor DESC, page.place DESC, page.id DESC`;
  return sort === 'created' ? sql`page.id DESC` : buildOrderBy(sort, 't.');
}

/** The sort values of a row, which are the key of a cursor. */
export function getSortKey<S extends TaskSort>(
  row: Readonly<Partial<Record<(typeof sortOrders)[S][number][0], string | number>>>,
  sort: S,
): (string | number)[] {
  // A page selects its sort columns, and may leave out the rest.
  return sortOrders[sort].map(([name]) => row[name as keyof typeof row] as string | number);
}

/**
 * The rows of `tasks` after the cursor, in order.
 * @param selected columns of `tasks` that the result keeps.
 */
export function selectSortedTasks<R>(tasks: SQL, selected: Columns<R>, sort: TaskSort, range: Range): SQL<R> {
  return typed(sql`
    SELECT ${selected} FROM (${tasks}) WHERE ${isAfter(range, getSortColumns(sort))}
    ORDER BY ${buildOrderBy(sort)} ${limitOf(range)}`);
}

/** One order as a merge of sorted index ranges. Keys are text or numbers that sort like the order itself. */
export interface TaskOrder extends Omit<MergeOrder, 'columns'> {
  /** The column that identifies a range together with the project or the assignee. */
  dividedBy: 'archived_status' | 'bucket';
  indexes: { workspace: string; project: string; assignee: string };
  key: SQL;
  /** The columns that the key consists of. */
  keyColumns: SortColumn[];
  /** Condition: `t` comes after the key `m.key`. */
  after: SQL;
  order: SQL;
  /** The columns of the order, if the index stores them as they are. */
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
    asIndexed: { columns: columns({ id: t.id, due: t.due }), order: buildOrderBy('due') },
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
    asIndexed: { columns: columns({ id: t.id }), order: buildOrderBy('created') },
    isDescending: true,
    id: sql`key`,
  },
};

/** Ranges of one index: their owners, the index, and the remaining condition on each task. */
export interface TaskRanges {
  owners: SQL;
  /** Whether `owners` selects at most one row. */
  isOneOwner: boolean;
  index: string;
  column: 'ws' | 'project' | 'assignee';
  remaining?: SQL;
}

/** The only source, if it has one range per divider. */
export function findOnlyOwner(sources: readonly TaskRanges[]): TaskRanges | null {
  const [only, ...others] = sources;
  return only?.isOneOwner && others.length === 0 ? only : null;
}

/** FROM and a first condition: the tasks `t` of one range, in the order of its index. */
export function fromTaskRange(
  { owners, index, column, remaining = sql`true` }: TaskRanges,
  { dividedBy }: TaskOrder,
  divider: number,
): SQL {
  return sql`${t} INDEXED BY ${sql.raw(index)}
    WHERE ${t[column]} = (${owners}) AND ${t[dividedBy]} = ${divider} AND ${remaining}`;
}

interface PageBounds {
  /** Deadlines from this day. */
  from?: string | undefined;
  /** Condition on every task, as `AND …`. It may bound the index. */
  until?: SQL;
  /** Whether two sources may contain the same task. */
  mayRepeat?: boolean;
}

/**
 * Selects the column `id` of a page. Ranges of several sources may overlap; a task in two of them is returned once.
 * @param dividers the values of `order.dividedBy` to walk.
 */
export function selectMergedPage(
  sources: readonly TaskRanges[],
  order: TaskOrder,
  dividers: readonly number[],
  range: Range,
  { from, until = sql``, mayRepeat = sources.length > 1 }: PageBounds = {},
): SQL {
  // Each walk has one lower bound, so that no index starts again at the first day for every task. The cursor is after it.
  const lower = from === undefined || range.after ? sql`` : sql`AND ${t.due} >= ${from}`;
  const behindCursor = sql`${isAfter(range, order.keyColumns)} ${lower}`;
  const { asIndexed } = order;
  const owner = findOnlyOwner(sources);
  if (asIndexed && owner && areFew(dividers)) {
    const ranges = dividers.map(
      (divider) =>
        sql`SELECT ${asIndexed.columns} FROM ${fromTaskRange(owner, order, divider)} AND ${behindCursor} ${until}`,
    );
    return pageOfFew(ranges, asIndexed.order, range);
  }
  const ranges = sql`
    WITH owners (kind, owner) AS (${byKind(sources.map(({ owners }) => owners))})
    SELECT o.kind, o.owner, b.column1 AS bucket FROM ${constants(dividers)} b CROSS JOIN owners o`;
  const walks = sources.map(({ index, column, remaining = sql`true` }) => {
    const nearest = (condition: SQL) => sql`(
      SELECT ${order.key} FROM ${t} INDEXED BY ${sql.raw(index)}
      WHERE ${t[column]} = m.owner AND ${t[order.dividedBy]} = m.bucket AND ${remaining}
      AND ${condition} ${until} ORDER BY ${order.order} LIMIT 1)`;
    return { first: nearest(behindCursor), next: nearest(order.after) };
  });
  return mergePage({ ranges, walks, mayRepeat }, { ...order, columns: ['owner', 'bucket'] }, range);
}

/** With fewer tasks than this, sorting them reads less than walking an index and skipping what doesn't match. */
export const NARROW_MATCHES_MAX = 3_000;

/** LIMIT and OFFSET of one of two plans in one statement. The number of matches decides which one returns rows. */
export function buildLimitIf(condition: SQL, range: Range): SQL {
  return sql`LIMIT CASE WHEN ${condition} THEN ${rowsRead(range)} ELSE 0 END OFFSET ${range.offset}`;
}
