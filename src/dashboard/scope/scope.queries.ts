import type { Caller } from '../../kernel/access/access.ts';
import type { Reach } from '../../kernel/access/capabilities.ts';
import { inList } from '../../kernel/sql/database.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { teamMembers, teams } from '../../schema/cell/reference.ts';
import { members } from '../../schema/cell/workspaces.ts';

const fp = names(projects, 'fp');
const ft = names(teams, 'ft');
const jm = names(projectMembers, 'jm');
const mt = names(teamMembers, 'mt');
const p = names(projects, 'p');
const pm = names(members, 'pm');
const st = names(teams, 'st');
const tm = names(teamMembers, 'tm');

/*
 * Which people and projects the caller sees on the dashboard. Every statement starts with the tables `my_projects`,
 * `seen_people` and `picked`, and the same lists as text: `my_project_list`, `seen_list` and `picked_list`. The role decides
 * the first two; parameters can only narrow them.
 */

export interface ScopeFilter {
  /** The reach of the role in the running operation. */
  reach: Reach;
  teamId?: number[] | undefined;
  assigneeId?: string[] | undefined;
  projectId?: number | undefined;
  projectStatus?: string | undefined;
}

/** With less reach, people see the projects that they created or joined. */
export function seesEveryProject({ reach }: ScopeFilter): boolean {
  return reach === 'all';
}

/** Whether the parameters allow every project. */
export function allowsEveryProject({ projectId, projectStatus }: ScopeFilter): boolean {
  return projectId === undefined && projectStatus === undefined;
}

export function coversWorkspace(filter: ScopeFilter): boolean {
  return seesEveryProject(filter) && allowsEveryProject(filter);
}

/** Whether the scope also includes people: those of the caller's teams, or only the caller. */
export function includesPeople({ reach }: ScopeFilter): boolean {
  return reach === 'teams' || reach === 'self';
}

export function filtersPeople(filter: ScopeFilter): boolean {
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
    seen_people (no) AS MATERIALIZED (${selectSeenPeople(caller, filter)}),
    seen_list (ids) AS MATERIALIZED (${selectIdList('no', sql`SELECT no FROM seen_people`)}),
    my_projects (id) AS ${hasProjectIndex(filter) ? sql`NOT MATERIALIZED` : sql`MATERIALIZED`} (
      ${selectMyProjects(caller, filter)}),
    my_project_list (ids) AS MATERIALIZED (${selectIdList('id', sql`SELECT id FROM my_projects`)}),
    picked_teams (id) AS (${selectTeamTree(
      caller,
      sql`SELECT value
      FROM json_each(${JSON.stringify(filter.teamId ?? [])})`,
      'picked_teams',
    )}),
    picked (no) AS MATERIALIZED (${selectPickedPeople(caller, filter)}),
    picked_list (ids) AS MATERIALIZED (${selectIdList('no', sql`SELECT no FROM picked`)})`;
}

/** Numbers as one text. The number of the caller is a parameter, which D1 binds as REAL. */
export function selectIdList(column: 'id' | 'no', rows: SQL): SQL {
  return sql`SELECT coalesce(group_concat('/' || CAST(${sql.raw(column)} AS INTEGER) || '/', ''), '') AS ids FROM (${rows})`;
}

/** Condition: the text contains the number. A lookup in a table would count as a row each time. */
export function isInIdList(list: string, number: SQL): SQL {
  return sql`instr((SELECT ids FROM ${sql.raw(list)}), '/' || ${number} || '/') > 0`;
}

/** The given teams of the workspace and all teams below them. */
function selectTeamTree(caller: Caller, first: SQL, self: 'my_teams' | 'picked_teams'): SQL {
  return sql`
    SELECT ${ft.id} FROM ${ft} WHERE ${ft.ws} = ${caller.workspace} AND ${ft.id} IN (${first})
    UNION SELECT ${st.id} FROM ${sql.raw(self)} up JOIN ${st} ON ${st.parent} = up.id
      AND ${st.ws} = ${caller.workspace}`;
}

function selectSeenPeople(caller: Caller, filter: ScopeFilter): SQL {
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

/** Condition: the parameters allow the project `p`. */
export function isAllowedProject({ projectId, projectStatus }: ScopeFilter): SQL {
  const conditions = [sql`true`];
  if (projectId !== undefined) conditions.push(sql`${p.id} = ${projectId}`);
  if (projectStatus !== undefined) conditions.push(sql`${p.status} = ${projectStatus}`);
  return sql.join(conditions, sql` AND `);
}

/** Whether an index holds exactly the caller's projects. Materializing them would cost one more row per read. */
function hasProjectIndex(filter: ScopeFilter): boolean {
  return seesEveryProject(filter);
}

function selectPickedPeople(caller: Caller, filter: ScopeFilter): SQL {
  if (!filtersPeople(filter)) return sql`SELECT 0 WHERE false`;
  const named = filter.assigneeId ? sql`AND ${pm.user_id} IN ${inList(filter.assigneeId)}` : sql``;
  if (filter.teamId === undefined)
    return sql`SELECT ${pm.no} FROM ${pm} WHERE ${pm.ws} = ${caller.workspace} ${named}`;
  // Starts from the teams: another order would read every member, and a list of numbers costs one more read than a join.
  return sql`
    SELECT DISTINCT ${pm.no} FROM picked_teams pt CROSS JOIN ${tm} ON ${tm.team} = pt.id
    CROSS JOIN ${pm} ON ${pm.no} = ${tm.member} AND ${pm.ws} = ${caller.workspace} ${named}`;
}

/** Condition: the parameters allow the project id. */
function isInProjectFilter({ projectId, projectStatus }: ScopeFilter, project: SQL): SQL {
  const conditions = [sql`true`];
  if (projectId !== undefined) conditions.push(sql`${project} = ${projectId}`);
  if (projectStatus !== undefined) {
    conditions.push(sql`(SELECT ${fp.status} FROM ${fp} WHERE ${fp.id} = ${project}) = ${projectStatus}`);
  }
  return sql.join(conditions, sql` AND `);
}

/** Condition on the project and assignee of a task: visible to the role and allowed by the parameters. */
export function isInScope(filter: ScopeFilter, project: SQL, member: SQL): SQL {
  const seen = isVisibleToRole(filter, project, member);
  return filtersPeople(filter) ? sql`(${seen} AND ${isInIdList('picked_list', member)})` : seen;
}

/** The same without `picked`, for statements that only read the tasks of picked people. */
export function isVisibleToRole(filter: ScopeFilter, project: SQL, member: SQL): SQL {
  if (coversWorkspace(filter)) return sql`true`;
  const inMine = isInIdList('my_project_list', project);
  return includesPeople(filter)
    ? sql`(${inMine} OR (${isInIdList('seen_list', member)} AND ${isInProjectFilter(filter, project)}))`
    : inMine;
}

/**
 * Condition on a pair of project and visible person: not already counted with the caller's projects. It runs for each of
 * their tasks and counters.
 */
export function isOutsideMyProjects(filter: ScopeFilter, project: SQL): SQL {
  return sql`
    (NOT ${isInIdList('my_project_list', project)} AND ${isInProjectFilter(filter, project)})`;
}
