import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readFirstRow, readNumber, readRows } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import {
  type projectStatusRows,
  taskCategories,
  taskStatusRows,
  taskTypes,
  teamMembers,
  teams,
} from '../../schema/cell/reference.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const c = aliasTable(taskCategories, 'c');
/** Also used for project statuses, because both tables have the same columns. */
const s = aliasTable(taskStatusRows, 's');
const m = aliasTable(activeMembers, 'm');
const tt = aliasTable(taskTypes, 't');
const t = aliasTable(teams, 't');
const tm = aliasTable(teamMembers, 'tm');

// The status tables have no workspace column, because all workspaces have the same statuses.
export type StatusTable = typeof taskStatusRows | typeof projectStatusRows;

const statusColumns = selectColumns({
  id: s.id,
  value: s.value,
  label: s.label,
  color: s.color,
  position: s.position,
  active: s.is_active,
});
export type StatusRow = Row<typeof statusColumns>;

function buildStatusesFromClause(table: StatusTable, includeInactive: boolean): SQL {
  return sql`FROM ${table} s WHERE ${includeInactive ? sql`1` : sql`${s.is_active} = 1`}`;
}

export function listStatuses(table: StatusTable, filter: PageRange & { includeInactive: boolean }) {
  return readRows(
    sql`SELECT ${statusColumns} ${buildStatusesFromClause(table, filter.includeInactive)}
      AND ${isAfter(filter, [{ column: s.position }, { column: s.id }])}
        ORDER BY ${s.position}, ${s.id} ${buildLimit(filter)}`,
  );
}

export function countStatuses(table: StatusTable, includeInactive: boolean) {
  return readNumber(sql`SELECT count(*) AS total ${buildStatusesFromClause(table, includeInactive)}`);
}

export function getStatus(table: StatusTable, id: number) {
  return readFirstRow(sql`SELECT ${statusColumns} FROM ${table} s WHERE ${s.id} = ${id}`);
}

const categoryColumns = selectColumns({
  id: c.id,
  key: c.key,
  value: c.value,
  default_estimated_hours: c.default_estimated_hours,
});
export type CategoryRow = Row<typeof categoryColumns>;

function buildCategoriesFromClause(caller: Caller): SQL {
  return sql`FROM ${c} WHERE ${c.ws} = ${caller.workspace}`;
}

export function listCategories(caller: Caller, range: PageRange) {
  return readRows(
    sql`SELECT ${categoryColumns} ${buildCategoriesFromClause(caller)} AND ${isAfter(range, [{ column: c.id }])}
      ORDER BY ${c.id} ${buildLimit(range)}`,
  );
}

export function countCategories(caller: Caller) {
  return readNumber(sql`SELECT count(*) AS total ${buildCategoriesFromClause(caller)}`);
}

export function getCategory(caller: Caller, id: number) {
  return readFirstRow(
    sql`SELECT ${categoryColumns} ${buildCategoriesFromClause(caller)} AND ${c.id} = ${id}`,
  );
}

export interface TaskTypeFilter {
  categoryId?: number | undefined;
}

const typeColumns = selectColumns({
  id: tt.id,
  key: tt.key,
  value: tt.value,
  default_estimated_hours: tt.default_estimated_hours,
  category_id: tt.category,
});
export type TaskTypeRow = Row<typeof typeColumns>;

function buildTypesFromClause(caller: Caller, { categoryId }: TaskTypeFilter = {}): SQL {
  const inCategory = categoryId === undefined ? sql`1` : sql`${tt.category} = ${categoryId}`;
  return sql`FROM ${tt} WHERE ${tt.ws} = ${caller.workspace} AND ${inCategory}`;
}

export function listTypes(caller: Caller, filter: TaskTypeFilter & PageRange) {
  return readRows(
    sql`SELECT ${typeColumns} ${buildTypesFromClause(caller, filter)} AND ${isAfter(filter, [{ column: tt.id }])}
      ORDER BY ${tt.id} ${buildLimit(filter)}`,
  );
}

export function countTypes(caller: Caller, filter: TaskTypeFilter) {
  return readNumber(sql`SELECT count(*) AS total ${buildTypesFromClause(caller, filter)}`);
}

export function getType(caller: Caller, id: number) {
  return readFirstRow(sql`SELECT ${typeColumns} ${buildTypesFromClause(caller)} AND ${tt.id} = ${id}`);
}

const userColumns = selectColumns({
  id: m.user_id,
  name: m.name,
  email: m.email,
  image: m.image,
  role: m.role,
});
export type UserRow = Row<typeof userColumns>;

function buildUsersFromClause(caller: Caller): SQL {
  return sql`FROM ${m} WHERE ${m.ws} = ${caller.workspace}`;
}

const userOrder = [{ column: sql`${m.name} COLLATE NOCASE` }, { column: m.user_id }];

export function listUsers(caller: Caller, range: PageRange) {
  return readRows(
    sql`SELECT ${userColumns} ${buildUsersFromClause(caller)}
      AND ${isAfter(range, userOrder)}
      ORDER BY ${m.name} COLLATE NOCASE, ${m.user_id} ${buildLimit(range)}`,
  );
}

/** Reads all users, because the search ignores case, and SQLite can do so only for A to Z. */
export function listAllUsers(caller: Caller, range: PageRange) {
  const isAfterCursor = isAfter(range, userOrder);
  return readRows(
    sql`SELECT ${userColumns}, ${selectColumns({ is_after: withType<number>(isAfterCursor) })} ${buildUsersFromClause(caller)}
      ORDER BY ${m.name} COLLATE NOCASE, ${m.user_id}`,
  );
}

export function countUsers(caller: Caller) {
  return readNumber(sql`SELECT count(*) AS total ${buildUsersFromClause(caller)}`);
}

export function getUser(caller: Caller, id: string) {
  return readFirstRow(sql`SELECT ${userColumns} ${buildUsersFromClause(caller)} AND ${m.user_id} = ${id}`);
}

const teamColumns = selectColumns({ id: t.id, name: t.name, parent_id: t.parent });

const teamMemberColumns = selectColumns({
  team_id: tm.team,
  id: m.user_id,
  name: m.name,
  email: m.email,
  image: m.image,
  role: tm.role,
});

function buildTeamPageFromClause(caller: Caller, range: PageRange): SQL {
  return sql`
    FROM ${t} WHERE ${t.ws} = ${caller.workspace}
    AND ${isAfter(range, [{ column: sql`${t.name} COLLATE NOCASE` }, { column: t.id }])}
    ORDER BY ${t.name} COLLATE NOCASE, ${t.id} ${buildLimit(range)}`;
}

export function listTeams(caller: Caller, range: PageRange) {
  return readRows(sql`SELECT ${teamColumns} ${buildTeamPageFromClause(caller, range)}`);
}

export function countTeams(caller: Caller) {
  return readNumber(sql`SELECT count(*) AS total FROM ${t} WHERE ${t.ws} = ${caller.workspace}`);
}

export function listTeamMembers(caller: Caller, range: PageRange) {
  return readRows(sql`
    SELECT ${teamMemberColumns}
    FROM ${m} JOIN ${tm} ON ${tm.member} = ${m.no}
    WHERE ${m.ws} = ${caller.workspace} AND ${tm.team} IN (SELECT ${t.id} ${buildTeamPageFromClause(caller, range)})
    ORDER BY ${tm.role} = 'lead' DESC, ${m.name} COLLATE NOCASE, ${m.user_id}`);
}
