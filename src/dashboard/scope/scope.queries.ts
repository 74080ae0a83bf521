import type { Caller } from '../../kernel/access/access.ts';
import type { Reach } from '../../kernel/access/capabilities.ts';
import { buildInList } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { teamMembers, teams } from '../../schema/cell/reference.ts';
import { members } from '../../schema/cell/workspaces.ts';

const fp = aliasTable(projects, 'fp');
const ft = aliasTable(teams, 'ft');
const jm = aliasTable(projectMembers, 'jm');
const mt = aliasTable(teamMembers, 'mt');
const p = aliasTable(projects, 'p');
const pm = aliasTable(members, 'pm');
const st = aliasTable(teams, 'st');
const tm = aliasTable(teamMembers, 'tm');

/**
 * Dashboard statements take their scope from the tables that `buildScopeTables` defines. The caller's role
 * determines their contents, and parameters can only narrow them.
 */

export interface ScopeFilter {
  reach: Reach;
  teamId?: number[] | undefined;
  assigneeId?: string[] | undefined;
  projectId?: number | undefined;
  projectStatus?: string | undefined;
}

export function seesEveryProject({ reach }: ScopeFilter): boolean {
  return reach === 'all';
}

export function allowsEveryProject({ projectId, projectStatus }: ScopeFilter): boolean {
  return projectId === undefined && projectStatus === undefined;
}

export function coversWorkspace(filter: ScopeFilter): boolean {
  return seesEveryProject(filter) && allowsEveryProject(filter);
}

export function includesPeople({ reach }: ScopeFilter): boolean {
  return reach === 'teams' || reach === 'self';
}

export function hasPeopleFilter(filter: ScopeFilter): boolean {
  return filter.teamId !== undefined || filter.assigneeId !== undefined;
}

export function buildScopeTables(caller: Caller, filter: ScopeFilter): SQL {
  return sql`
    my_teams (id) AS (${selectTeamTree(
      caller,
      sql`SELECT ${mt.team}
      FROM ${mt} WHERE ${mt.member} = ${caller.member}`,
      'my_teams',
    )}),
    seen_people (no) AS MATERIALIZED (${selectVisiblePeople(caller, filter)}),
    seen_list (ids) AS MATERIALIZED (${selectIdList('no', sql`SELECT no FROM seen_people`)}),
    my_projects (id) AS ${canUseProjectIndex(filter) ? sql`NOT MATERIALIZED` : sql`MATERIALIZED`} (
      ${selectMyProjects(caller, filter)}),
    my_project_list (ids) AS MATERIALIZED (${selectIdList('id', sql`SELECT id FROM my_projects`)}),
    picked_teams (id) AS (${selectTeamTree(
      caller,
      sql`SELECT value
      FROM json_each(${JSON.stringify(filter.teamId ?? [])})`,
      'picked_teams',
    )}),
    picked (no) AS MATERIALIZED (${selectFilteredPeople(caller, filter)}),
    picked_list (ids) AS MATERIALIZED (${selectIdList('no', sql`SELECT no FROM picked`)})`;
}

/** Casts to INTEGER, because D1 binds parameters as REAL. */
export function selectIdList(column: 'id' | 'no', rows: SQL): SQL {
  return sql`SELECT coalesce(group_concat('/' || CAST(${sql.raw(column)} AS INTEGER) || '/', ''), '') AS ids FROM (${rows})`;
}

/** Searches a list of ids stored as text, because SQLite counts each lookup in a table as a row read. */
export function isInIdList(list: string, number: SQL): SQL {
  return sql`instr((SELECT ids FROM ${sql.raw(list)}), '/' || ${number} || '/') > 0`;
}

function selectTeamTree(caller: Caller, first: SQL, self: 'my_teams' | 'picked_teams'): SQL {
  return sql`
    SELECT ${ft.id} FROM ${ft} WHERE ${ft.ws} = ${caller.workspace} AND ${ft.id} IN (${first})
    UNION SELECT ${st.id} FROM ${sql.raw(self)} up JOIN ${st} ON ${st.parent} = up.id
      AND ${st.ws} = ${caller.workspace}`;
}

function selectVisiblePeople(caller: Caller, filter: ScopeFilter): SQL {
  if (!includesPeople(filter)) return sql`SELECT 0 WHERE false`;
  const self = sql`SELECT ${caller.member}`;
  if (filter.reach === 'self') return self;
  return sql`${self} UNION SELECT ${tm.member} FROM ${tm} WHERE ${tm.team} IN (SELECT id FROM my_teams)`;
}

function selectMyProjects(caller: Caller, filter: ScopeFilter): SQL {
  const narrowed = isAllowedProject(filter);
  if (seesEveryProject(filter)) {
    return sql`SELECT ${p.id} FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${narrowed}`;
  }
  return sql`
    SELECT ${p.id} FROM ${jm} CROSS JOIN ${p} ON ${p.id} = ${jm.project}
    WHERE ${jm.member} = ${caller.member} AND ${p.ws} = ${caller.workspace} AND ${narrowed}`;
}

export function isAllowedProject({ projectId, projectStatus }: ScopeFilter): SQL {
  const conditions = [sql`true`];
  if (projectId !== undefined) conditions.push(sql`${p.id} = ${projectId}`);
  if (projectStatus !== undefined) conditions.push(sql`${p.status} = ${projectStatus}`);
  return sql.join(conditions, sql` AND `);
}

/** For callers who see every project, materializing the projects would only add one row read per project. */
function canUseProjectIndex(filter: ScopeFilter): boolean {
  return seesEveryProject(filter);
}

function selectFilteredPeople(caller: Caller, filter: ScopeFilter): SQL {
  if (!hasPeopleFilter(filter)) return sql`SELECT 0 WHERE false`;
  const named = filter.assigneeId ? sql`AND ${pm.user_id} IN ${buildInList(filter.assigneeId)}` : sql``;
  if (filter.teamId === undefined)
    return sql`SELECT ${pm.no} FROM ${pm} WHERE ${pm.ws} = ${caller.workspace} ${named}`;
  // Starts with the teams, because starting with the members would read all of them.
  return sql`
    SELECT DISTINCT ${pm.no} FROM picked_teams pt CROSS JOIN ${tm} ON ${tm.team} = pt.id
    CROSS JOIN ${pm} ON ${pm.no} = ${tm.member} AND ${pm.ws} = ${caller.workspace} ${named}`;
}

function matchesProjectFilter({ projectId, projectStatus }: ScopeFilter, project: SQL): SQL {
  const conditions = [sql`true`];
  if (projectId !== undefined) conditions.push(sql`${project} = ${projectId}`);
  if (projectStatus !== undefined) {
    conditions.push(sql`(SELECT ${fp.status} FROM ${fp} WHERE ${fp.id} = ${project}) = ${projectStatus}`);
  }
  return sql.join(conditions, sql` AND `);
}

export function isInScope(filter: ScopeFilter, project: SQL, member: SQL): SQL {
  const seen = isVisibleToRole(filter, project, member);
  return hasPeopleFilter(filter) ? sql`(${seen} AND ${isInIdList('picked_list', member)})` : seen;
}

/** Ignores the people in the filter. `isInScope` checks them too. */
export function isVisibleToRole(filter: ScopeFilter, project: SQL, member: SQL): SQL {
  if (coversWorkspace(filter)) return sql`true`;
  const inMine = isInIdList('my_project_list', project);
  return includesPeople(filter)
    ? sql`(${inMine} OR (${isInIdList('seen_list', member)} AND ${matchesProjectFilter(filter, project)}))`
    : inMine;
}

export function isOutsideMyProjects(filter: ScopeFilter, project: SQL): SQL {
  return sql`
    (NOT ${isInIdList('my_project_list', project)} AND ${matchesProjectFilter(filter, project)})`;
}
