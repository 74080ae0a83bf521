import { bucketColumns, columnAt, taskCounts } from '../counters/counters.sql.ts';
import type { Caller, Role } from '../kernel/access.ts';
import { firstRow, number, row, rows } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { leftJoined, names, type SQL, sql } from '../kernel/sql.ts';
import { bucketsMatching } from '../task-model/buckets.ts';
import { joined, projectVisible } from '../visibility/project-visibility.queries.ts';
import { activeMembers, members } from '../workspaces/workspaces.sql.ts';
import type { ProjectScope } from './projects.schema.ts';
import { projectMembers, projects } from './projects.sql.ts';

const am = names(activeMembers, 'am');
const m = names(activeMembers, 'm');
const o = names(members, 'o');
const p = names(projects, 'p');
const pm = names(projectMembers, 'pm');
const tc = leftJoined(taskCounts, 'tc');

export interface ProjectRow {
  id: number;
  name: string;
  status: string;
  taskCount: number;
  createdAt: number;
}

export interface ProjectDetailRow extends ProjectRow {
  description: string | null;
  ownerId: string;
  ownerName: string;
  ownerEmail: string;
  memberCount: number;
}

export interface ProjectMemberRow {
  projectId: number;
  id: string;
  name: string;
  email: string;
  image: string | null;
  role: Role;
  isOwner: 0 | 1;
}

export interface ProjectFilter extends Range {
  scope: ProjectScope;
}

const unarchivedTasks = sql.raw(
  bucketsMatching({ isArchived: false })
    .map((bucket) => String(tc[columnAt(bucketColumns, bucket)]))
    .join(' + '),
);
export const listColumns = sql`${p.id} AS id, ${p.name} AS name, ${p.status} AS status, ${p.created_at} AS createdAt,
  COALESCE(${unarchivedTasks}, 0) AS taskCount`;
// member 0 is the counter row of the project itself.
export const counters = sql`LEFT JOIN ${tc} ON ${tc.ws} = ${p.ws} AND ${tc.member} = 0 AND ${tc.project} = ${p.id}`;

function one(caller: Caller, id: number): SQL {
  return sql`${p.ws} = ${caller.workspace} AND ${p.id} = ${id} AND ${projectVisible(caller, p.id)}`;
}

export function matching(caller: Caller, scope: ProjectScope): SQL {
  const inScope = scope === 'mine' ? joined(caller, p.id) : projectVisible(caller, p.id);
  return sql`${p.ws} = ${caller.workspace} AND ${inScope}`;
}

function pageOfMatching(caller: Caller, filter: ProjectFilter): SQL {
  return sql`
    ${matching(caller, filter.scope)} AND ${isAfter(filter, [{ column: p.id, isDescending: true }])}
    ORDER BY ${p.id} DESC ${limitOf(filter)}`;
}

export function listProjects(caller: Caller, filter: ProjectFilter) {
  return rows<ProjectRow>(
    sql`SELECT ${listColumns} FROM ${p} ${counters} WHERE ${pageOfMatching(caller, filter)}`,
  );
}

export function countProjects(caller: Caller, scope: ProjectScope) {
  return number(sql`SELECT count(*) AS total FROM ${p} WHERE ${matching(caller, scope)}`);
}

export function getProject(caller: Caller, id: number) {
  return firstRow<ProjectDetailRow>(sql`
    SELECT ${listColumns}, ${p.description} AS description,
      ${o.user_id} AS ownerId, ${o.name} AS ownerName, ${o.email} AS ownerEmail,
      (SELECT count(*) FROM ${pm} CROSS JOIN ${am} ON ${am.no} = ${pm.member}
        WHERE ${pm.project} = ${p.id}) AS memberCount
    FROM ${p} JOIN ${o} ON ${o.no} = ${p.owner} ${counters}
    WHERE ${one(caller, id)}`);
}

/** The project if the caller may see it, for the batch of any operation that works inside a project. */
export function findProject(caller: Caller, id: number) {
  return firstRow<{ id: number; name: string }>(
    sql`SELECT ${p.id} AS id, ${p.name} AS name FROM ${p} WHERE ${one(caller, id)}`,
  );
}

/** The project that the same batch inserted. */
export function findNewestProject(caller: Caller) {
  return row<{ id: number }>(
    sql`SELECT ${p.id} AS id FROM ${p} WHERE ${p.ws} = ${caller.workspace} ORDER BY ${p.id} DESC LIMIT 1`,
  );
}

export function listMembersOfProject(caller: Caller, id: number) {
  return membersOf(caller, sql`SELECT ${p.id} FROM ${p} WHERE ${one(caller, id)}`);
}

/** Members of every project of a page of `listProjects`. */
export function listMembersOfPage(caller: Caller, filter: ProjectFilter) {
  return membersOf(caller, sql`SELECT ${p.id} FROM ${p} WHERE ${pageOfMatching(caller, filter)}`);
}

export function membersOf(caller: Caller, projectIds: SQL) {
  return rows<ProjectMemberRow>(sql`
    SELECT ${p.id} AS projectId, ${m.user_id} AS id, ${m.name} AS name, ${m.email} AS email, ${m.image} AS image,
      ${m.role} AS role, ${m.no} = ${p.owner} AS isOwner
    FROM ${p}
    JOIN ${pm} ON ${pm.project} = ${p.id}
    JOIN ${m} ON ${m.no} = ${pm.member}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN (${projectIds})
    ORDER BY isOwner DESC, ${m.name} COLLATE NOCASE, ${m.user_id}`);
}
