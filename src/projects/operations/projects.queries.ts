import { desc, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readFirstRow, readNumber, readRows } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { bucketColumns, getColumnAt, taskCounts } from '../../schema/cell/counters.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { toBuckets } from '../../tasks/model/buckets.ts';
import { hasJoinedProject, isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import type { ProjectScope } from './projects.schema.ts';

const am = aliasTable(activeMembers, 'am');
const m = aliasTable(activeMembers, 'm');
const o = aliasTable(members, 'o');
const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');
const tc = aliasLeftJoinedTable(taskCounts, 'tc');

export type ProjectRow = Row<typeof projectListColumns>;

const projectDetailColumns = selectColumns({
  description: p.description,
  owner_id: o.user_id,
  owner_name: o.name,
  owner_email: o.email,
  member_count: withType<number>(sql`(SELECT count(*) FROM ${pm} CROSS JOIN ${am} ON ${am.no} = ${pm.member}
        WHERE ${pm.project} = ${p.id})`),
});

const projectMemberColumns = selectColumns({
  project_id: p.id,
  id: m.user_id,
  name: m.name,
  email: m.email,
  image: m.image,
  role: m.role,
  is_owner: withType<0 | 1>(sql`${m.no} = ${p.owner}`),
});
export type ProjectMemberRow = Row<typeof projectMemberColumns>;

export interface ProjectFilter extends PageRange {
  scope: ProjectScope;
}

const unarchivedTaskCount = sql.raw(
  toBuckets({ isArchived: false })
    .map((bucket) => String(tc[getColumnAt(bucketColumns, bucket)]))
    .join(' + '),
);
export const projectListColumns = selectColumns({
  id: p.id,
  name: p.name,
  status: p.status,
  created_at: p.created_at,
  task_count: withType<number>(sql`COALESCE(${unarchivedTaskCount}, 0)`),
});
export const projectCounterJoin = sql`LEFT JOIN ${tc} ON ${tc.ws} = ${p.ws} AND ${tc.member} = 0 AND ${tc.project} = ${p.id}`;

function isVisibleProject(caller: Caller, id: number): SQL {
  return sql`${p.ws} = ${caller.workspace} AND ${p.id} = ${id} AND ${isProjectVisible(caller, p.id)}`;
}

export function isInProjectScope(caller: Caller, scope: ProjectScope): SQL {
  const inScope = scope === 'mine' ? hasJoinedProject(caller, p.id) : isProjectVisible(caller, p.id);
  return sql`${p.ws} = ${caller.workspace} AND ${inScope}`;
}

function buildProjectPageClause(caller: Caller, filter: ProjectFilter): SQL {
  return sql`
    ${isInProjectScope(caller, filter.scope)} AND ${isAfter(filter, [{ column: p.id, isDescending: true }])}
    ORDER BY ${p.id} DESC ${buildLimit(filter)}`;
}

export function listProjects(caller: Caller, filter: ProjectFilter) {
  return readRows(
    sql`SELECT ${projectListColumns} FROM ${p} ${projectCounterJoin} WHERE ${buildProjectPageClause(caller, filter)}`,
  );
}

/** The operation searches the names of these projects, because SQLite ignores case only in ASCII letters. */
export function listAllProjects(caller: Caller, filter: ProjectFilter) {
  const isAfterCursor = isAfter(filter, [{ column: p.id, isDescending: true }]);
  return readRows(sql`
    SELECT ${projectListColumns}, ${selectColumns({ is_after: withType<number>(isAfterCursor) })}
    FROM ${p} ${projectCounterJoin} WHERE ${isInProjectScope(caller, filter.scope)} ORDER BY ${p.id} DESC`);
}

export function countProjects(caller: Caller, scope: ProjectScope) {
  return readNumber(sql`SELECT count(*) AS total FROM ${p} WHERE ${isInProjectScope(caller, scope)}`);
}

export function getProject(caller: Caller, id: number) {
  return readFirstRow(sql`
    SELECT ${projectListColumns}, ${projectDetailColumns}
    FROM ${p} JOIN ${o} ON ${o.no} = ${p.owner} ${projectCounterJoin}
    WHERE ${isVisibleProject(caller, id)}`);
}

const projectColumns = selectColumns({
  id: p.id,
  name: p.name,
});

/** Returns null if the caller can't see the project. */
export function findProject(caller: Caller, id: number) {
  return readFirstRow(sql`SELECT ${projectColumns} FROM ${p} WHERE ${isVisibleProject(caller, id)}`);
}

export const findNewestProject = prepared.row((caller: Argument<Caller>) =>
  query
    .select(pickColumns(projects, 'id'))
    .from(projects)
    .where(eq(projects.ws, caller.workspace))
    .orderBy(desc(projects.id))
    .limit(1),
);

export function listProjectMemberRows(caller: Caller, id: number) {
  return listMembersByProject(caller, sql`SELECT ${p.id} FROM ${p} WHERE ${isVisibleProject(caller, id)}`);
}

export function listMembersOnPage(caller: Caller, filter: ProjectFilter) {
  return listMembersByProject(
    caller,
    sql`SELECT ${p.id} FROM ${p} WHERE ${buildProjectPageClause(caller, filter)}`,
  );
}

export function listMembersByProject(caller: Caller, projectIds: SQL) {
  return readRows(sql`
    SELECT ${projectMemberColumns}
    FROM ${p}
    JOIN ${pm} ON ${pm.project} = ${p.id}
    JOIN ${m} ON ${m.no} = ${pm.member}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN (${projectIds})
    ORDER BY is_owner DESC, ${m.name} COLLATE NOCASE, ${m.user_id}`);
}
