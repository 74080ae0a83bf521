import type { Caller, Role } from '../kernel/access.ts';
import { firstRow, number, rows } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { activeMembers } from '../workspaces/workspaces.sql.ts';
import {
  type projectStatusRows,
  taskCategories,
  taskStatusRows,
  taskTypes,
  teamMembers,
  teams,
} from './reference.sql.ts';

const c = names(taskCategories, 'c');
/** Of either table. */
const s = names(taskStatusRows, 's');
const m = names(activeMembers, 'm');
const tt = names(taskTypes, 't');
const t = names(teams, 't');
const tm = names(teamMembers, 'tm');

// Statuses are the same on the whole platform, so these are the only tables of a cell without a workspace.
export type StatusTable = typeof taskStatusRows | typeof projectStatusRows;

export interface StatusRow {
  id: number;
  value: string;
  label: string;
  color: string;
  position: number;
  active: 0 | 1;
}

const statusColumns = sql`${s.id} AS id, ${s.value} AS value, ${s.label} AS label, ${s.color} AS color,
  ${s.position} AS position, ${s.is_active} AS active`;

function statuses(table: StatusTable, includeInactive: boolean): SQL {
  return sql`FROM ${table} s WHERE ${includeInactive ? sql`1` : sql`${s.is_active} = 1`}`;
}

export function listStatuses(table: StatusTable, filter: Range & { includeInactive: boolean }) {
  return rows<StatusRow>(
    sql`SELECT ${statusColumns} ${statuses(table, filter.includeInactive)}
      AND ${isAfter(filter, [{ column: s.position }, { column: s.id }])}
        ORDER BY ${s.position}, ${s.id} ${limitOf(filter)}`,
  );
}

export function countStatuses(table: StatusTable, includeInactive: boolean) {
  return number(sql`SELECT count(*) AS total ${statuses(table, includeInactive)}`);
}

export function getStatus(table: StatusTable, id: number) {
  return firstRow<StatusRow>(sql`SELECT ${statusColumns} FROM ${table} s WHERE ${s.id} = ${id}`);
}

export interface CategoryRow {
  id: number;
  key: string;
  value: string;
  defaultEstimatedHours: number | null;
}

const categoryColumns = sql`${c.id} AS id, ${c.key} AS key, ${c.value} AS value,
  ${c.default_estimated_hours} AS defaultEstimatedHours`;

function categories(caller: Caller): SQL {
  return sql`FROM ${c} WHERE ${c.ws} = ${caller.workspace}`;
}

export function listCategories(caller: Caller, range: Range) {
  return rows<CategoryRow>(
    sql`SELECT ${categoryColumns} ${categories(caller)} AND ${isAfter(range, [{ column: c.id }])}
      ORDER BY ${c.id} ${limitOf(range)}`,
  );
}

export function countCategories(caller: Caller) {
  return number(sql`SELECT count(*) AS total ${categories(caller)}`);
}

export function getCategory(caller: Caller, id: number) {
  return firstRow<CategoryRow>(sql`SELECT ${categoryColumns} ${categories(caller)} AND ${c.id} = ${id}`);
}

export interface TypeRow extends CategoryRow {
  categoryId: number;
}

export interface TypeFilter {
  categoryId?: number | undefined;
}

const typeColumns = sql`${tt.id} AS id, ${tt.key} AS key, ${tt.value} AS value,
  ${tt.default_estimated_hours} AS defaultEstimatedHours, ${tt.category} AS categoryId`;

function types(caller: Caller, { categoryId }: TypeFilter = {}): SQL {
  const inCategory = categoryId === undefined ? sql`1` : sql`${tt.category} = ${categoryId}`;
  return sql`FROM ${tt} WHERE ${tt.ws} = ${caller.workspace} AND ${inCategory}`;
}

export function listTypes(caller: Caller, filter: TypeFilter & Range) {
  return rows<TypeRow>(
    sql`SELECT ${typeColumns} ${types(caller, filter)} AND ${isAfter(filter, [{ column: tt.id }])}
      ORDER BY ${tt.id} ${limitOf(filter)}`,
  );
}

export function countTypes(caller: Caller, filter: TypeFilter) {
  return number(sql`SELECT count(*) AS total ${types(caller, filter)}`);
}

export function getType(caller: Caller, id: number) {
  return firstRow<TypeRow>(sql`SELECT ${typeColumns} ${types(caller)} AND ${tt.id} = ${id}`);
}

export interface UserRow {
  id: string;
  name: string;
  email: string;
  image: string | null;
  role: Role;
}

const userColumns = sql`${m.user_id} AS id, ${m.name} AS name, ${m.email} AS email, ${m.image} AS image,
  ${m.role} AS role`;

function users(caller: Caller): SQL {
  return sql`FROM ${m} WHERE ${m.ws} = ${caller.workspace}`;
}

export function listUsers(caller: Caller, range: Range) {
  return rows<UserRow>(
    sql`SELECT ${userColumns} ${users(caller)}
      AND ${isAfter(range, [{ column: sql`${m.name} COLLATE NOCASE` }, { column: m.user_id }])}
      ORDER BY ${m.name} COLLATE NOCASE, ${m.user_id} ${limitOf(range)}`,
  );
}

export function countUsers(caller: Caller) {
  return number(sql`SELECT count(*) AS total ${users(caller)}`);
}

export function getUser(caller: Caller, id: string) {
  return firstRow<UserRow>(sql`SELECT ${userColumns} ${users(caller)} AND ${m.user_id} = ${id}`);
}

export interface TeamRow {
  id: number;
  name: string;
  parentId: number | null;
}

export interface TeamMemberRow {
  teamId: number;
  id: string;
  name: string;
  email: string;
  image: string | null;
  role: 'lead' | 'member';
}

function pageOfTeams(caller: Caller, range: Range): SQL {
  return sql`
    FROM ${t} WHERE ${t.ws} = ${caller.workspace}
    AND ${isAfter(range, [{ column: sql`${t.name} COLLATE NOCASE` }, { column: t.id }])}
    ORDER BY ${t.name} COLLATE NOCASE, ${t.id} ${limitOf(range)}`;
}

export function listTeams(caller: Caller, range: Range) {
  return rows<TeamRow>(
    sql`SELECT ${t.id} AS id, ${t.name} AS name, ${t.parent} AS parentId ${pageOfTeams(caller, range)}`,
  );
}

export function countTeams(caller: Caller) {
  return number(sql`SELECT count(*) AS total FROM ${t} WHERE ${t.ws} = ${caller.workspace}`);
}

/** Members of every team of a page of `listTeams`. */
export function listMembersOfTeams(caller: Caller, range: Range) {
  return rows<TeamMemberRow>(sql`
    SELECT ${tm.team} AS teamId, ${m.user_id} AS id, ${m.name} AS name, ${m.email} AS email,
      ${m.image} AS image, ${tm.role} AS role
    FROM ${m} JOIN ${tm} ON ${tm.member} = ${m.no}
    WHERE ${m.ws} = ${caller.workspace} AND ${tm.team} IN (SELECT ${t.id} ${pageOfTeams(caller, range)})
    ORDER BY ${tm.role} = 'lead' DESC, ${m.name} COLLATE NOCASE, ${m.user_id}`);
}
