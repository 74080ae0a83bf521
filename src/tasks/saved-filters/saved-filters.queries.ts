import { and, eq, or } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import { type Argument, hasRow, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { FILTERS_MAX } from './saved-filters.schema.ts';

const f = aliasTable(savedFilters, 'f');
const m = aliasTable(members, 'm');

const filterColumns = selectColumns({
  id: f.id,
  member: f.member,
  maker: m.name,
  name: f.name,
  is_shared: f.is_shared,
  filter: f.filter,
});
export type FilterRow = Row<typeof filterColumns>;

export function listFilters({ workspace, member }: Caller): Statement<FilterRow[]> {
  return readRows(sql`
    SELECT ${filterColumns} FROM (
      SELECT ${f.id} AS id FROM ${f} INDEXED BY saved_filters_by_member
      WHERE ${f.member} = ${member} AND ${f.ws} = ${workspace}
      UNION ALL
      SELECT ${f.id} FROM ${f} INDEXED BY saved_filters_shared
      WHERE ${f.ws} = ${workspace} AND ${f.is_shared} = 1 AND ${f.member} <> ${member}) s
    CROSS JOIN ${f} ON ${f.id} = s.id CROSS JOIN ${m} ON ${m.no} = ${f.member}
    ORDER BY ${f.name} COLLATE NOCASE, ${f.id}`);
}

export const findFilter = prepared.firstRow(({ workspace, member }: Argument<Caller>, id: Argument<number>) =>
  query
    .select({
      ...pickColumns(savedFilters, 'id', 'member', 'name', 'is_shared', 'filter'),
      maker: members.name,
    })
    .from(savedFilters)
    .innerJoin(members, eq(members.no, savedFilters.member))
    .where(
      and(
        eq(savedFilters.ws, workspace),
        eq(savedFilters.id, id),
        or(eq(savedFilters.member, member), eq(savedFilters.is_shared, 1)),
      ),
    ),
);

export const assertFilterUnchanged = prepared.assertUnchanged(
  ({ workspace }: Argument<Caller>, read: Argument<FilterRow>) =>
    hasRow(
      savedFilters,
      and(
        eq(savedFilters.ws, workspace),
        eq(savedFilters.id, read.id),
        eq(savedFilters.member, read.member),
        eq(savedFilters.name, read.name),
        eq(savedFilters.is_shared, read.is_shared),
        eq(savedFilters.filter, read.filter),
      ),
    ),
);

const countColumns = selectColumns({
  own: withType<number>(sql`(SELECT count(*) FROM ${f} INDEXED BY saved_filters_by_member
    WHERE ${f.member} = c.member AND ${f.ws} = c.ws)`),
  shared: withType<number>(sql`(SELECT count(*) FROM ${f} INDEXED BY saved_filters_shared
    WHERE ${f.ws} = c.ws AND ${f.is_shared} = 1)`),
});
export type FilterCounts = Row<typeof countColumns>;

function selectFilterCounts({ workspace, member }: Pick<Caller, 'workspace' | 'member'>) {
  return sql`SELECT ${countColumns} FROM (SELECT ${workspace} AS ws, ${member} AS member) c`;
}

export function countFilters(caller: Caller): Statement<FilterCounts> {
  return readRow(selectFilterCounts(caller));
}

/** Must run after the insert or update, so that the new filter is counted. */
export function assertFilterLimits(caller: Caller, member: number): Statement<void> {
  return assertUnchanged(sql`
    (SELECT max(n.own, n.shared) FROM (${selectFilterCounts({ workspace: caller.workspace, member })}) n) <= ${FILTERS_MAX}`);
}

export const newestFilter = sql`(SELECT max(${savedFilters.id}) FROM ${savedFilters})`;

/** Must run in the batch that inserts the filter. The unary plus makes SQLite start from the table's newest row. */
export function findNewestFilter({ workspace }: Caller): Statement<{ id: number }> {
  return readRow(
    sql`SELECT ${selectColumns({ id: f.id })} FROM ${f} WHERE +${f.ws} = ${workspace} ORDER BY ${f.id} DESC LIMIT 1`,
  );
}

type FilterDraft = Pick<FilterRow, 'name' | 'is_shared' | 'filter'>;

export const insertFilter = prepared.write(
  (
    { workspace, member }: Argument<Caller>,
    { name, is_shared, filter }: Argument<FilterDraft>,
    now: Argument<number>,
  ) => query.insert(savedFilters).values({ ws: workspace, member, name, is_shared, filter, created_at: now }),
);

export const updateFilter = prepared.write(
  ({ workspace }: Argument<Caller>, { id, name, is_shared, filter }: Argument<FilterRow>) =>
    query
      .update(savedFilters)
      .set({ name, is_shared, filter })
      .where(and(eq(savedFilters.ws, workspace), eq(savedFilters.id, id))),
);

export const deleteFilter = prepared.write(({ workspace }: Argument<Caller>, id: Argument<number>) =>
  query.delete(savedFilters).where(and(eq(savedFilters.ws, workspace), eq(savedFilters.id, id))),
);
