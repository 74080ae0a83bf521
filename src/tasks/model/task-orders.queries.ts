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
  type Range,
  type SortColumn,
} from '../../kernel/lists/pagination.ts';
import { type Columns, columns, type NameOf, names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const t = names(tasks, 't');

/* Each order can sort any matches. With an index, a page can also merge sorted ranges of it. */

/** The last column is unique. */
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

/** @param table prefix of the columns; empty if only one table has them. */
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

/** `hand` is the manual order of cards. */
export type PageSort = 'created' | 'due' | 'updated' | 'hand';

/** The page must be selected as `page`. */
export function buildPageOrderBy(sort: PageSort): SQL {
  if (sort === 'hand') return sql`page.anchor DESC, page.place DESC, page.id DESC`;
  return sort === 'created' ? sql`page.id DESC` : buildOrderBy(sort, 't.');
}

/** Returns the key of a cursor. */
export function getSortKey<S extends TaskSort>(
  row: Readonly<Partial<Record<(typeof sortOrders)[S][number][0], string | number>>>,
  sort: S,
): (string | number)[] {
  // A page selects its sort columns, and may leave out the rest.
  return sortOrders[sort].map(([name]) => row[name as keyof typeof row] as string | number);
}

/** Selects the rows after the cursor. `selected` are the columns to keep. */
export function selectSortedTasks<R>(tasks: SQL, selected: Columns<R>, sort: TaskSort, range: Range): SQL<R> {
  return typed(sql`
    SELECT ${selected} FROM (${tasks}) WHERE ${isAfter(range, getSortColumns(sort))}
    ORDER BY ${buildOrderBy(sort)} ${buildLimit(range)}`);
}

/** Keys are text or numbers that sort like the order itself. */
export interface TaskOrder extends Omit<MergeOrder, 'columns'> {
  /** This column identifies a range together with the owner. */
  dividedBy: 'archived_status' | 'bucket';
  indexes: { workspace: string; project: string; assignee: string };
  key: SQL;
  keyColumns: SortColumn[];
  /** Condition: `t` comes after the key `m.key`. */
  after: SQL;
  order: SQL;
  /** Set if the index stores the columns of the order as they are. */
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

/** `remaining` is a further condition on each task. */
export interface TaskRanges {
  owners: SQL;
  /** Whether `owners` selects at most one row. */
  isOneOwner: boolean;
  index: string;
  column: 'ws' | 'project' | 'assignee';
  remaining?: SQL;
}

/** Returns null if there are several ranges per divider. */
export function findOnlyOwner(sources: readonly TaskRanges[]): TaskRanges | null {
  const [only, ...others] = sources;
  return only?.isOneOwner && others.length === 0 ? only : null;
}

/** FROM and WHERE of the tasks in one range, in the order of its index. */
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
  /** The condition starts with `AND`, and may bound the index. */
  until?: SQL;
  /** Whether two sources may contain the same task. */
  mayRepeat?: boolean;
}

/** A task in two overlapping ranges is returned once. `dividers` are values of `order.dividedBy`. */
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
  if (asIndexed && owner && canMergeAsUnion(dividers)) {
    const ranges = dividers.map(
      (divider) =>
        sql`SELECT ${asIndexed.columns} FROM ${fromTaskRange(owner, order, divider)} AND ${behindCursor} ${until}`,
    );
    return mergePageAsUnion(ranges, asIndexed.order, range);
  }
  const ranges = sql`
    WITH owners (kind, owner) AS (${unionByKind(sources.map(({ owners }) => owners))})
    SELECT o.kind, o.owner, b.column1 AS bucket FROM ${selectConstants(dividers)} b CROSS JOIN owners o`;
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

/** The number of matches decides which of two plans in a statement returns rows. */
export function buildLimitIf(condition: SQL, range: Range): SQL {
  return sql`LIMIT CASE WHEN ${condition} THEN ${countRowsToRead(range)} ELSE 0 END OFFSET ${range.offset}`;
}
