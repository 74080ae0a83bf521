import { comments } from '../comments/comments.sql.ts';
import type { Caller } from '../kernel/access.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { projects } from '../projects/projects.sql.ts';
import {
  coversWorkspace,
  isOfEveryProject,
  picksPeople,
  type ScopeFilter,
  seesEveryProject,
  seesPeople,
} from './scope.queries.ts';

const c = names(comments, 'c');
const p = names(projects, 'p');

/*
 * Which comments a dashboard shows, as kinds of index range and counter row: those of a project, those on the tasks of
 * an assignee, or those of an assignee in a project. Pages and totals are made of the same sources.
 */

/** SELECTs of `no` and of `id`. They may name tables of `scopeTables`. */
export interface Pairs {
  people: SQL;
  projects: SQL;
  /** The projects are those of a status, and may be nearly all. */
  isWide: boolean;
}

export interface Sources {
  /** A SELECT of `id`. */
  projects: SQL | null;
  /** A SELECT of `no`. */
  assignees: SQL | null;
  both: readonly Pairs[];
  /** Comments that a project source and an assignee source both have: pages drop one of the two, totals subtract it. */
  overlap: Pairs | null;
}

export function sourcesOf(caller: Caller, filter: ScopeFilter): Sources {
  const isNarrowed = !isOfEveryProject(filter);
  const isWide = filter.projectId === undefined && filter.projectStatus !== undefined;
  const mine = sql`SELECT id FROM my_projects`;
  const none: Sources = { projects: null, assignees: null, both: [], overlap: null };

  if (!picksPeople(filter)) {
    if (!seesPeople(filter)) return { ...none, projects: mine };
    const people = sql`SELECT no FROM seen_people`;
    return isNarrowed
      ? { ...none, projects: mine, both: [{ people, projects: elsewhere(caller, filter), isWide }] }
      : { ...none, projects: mine, assignees: people, overlap: { people, projects: mine, isWide } };
  }
  const picked = sql`SELECT no FROM picked`;
  if (!seesPeople(filter)) {
    return isNarrowed || !seesEveryProject(filter)
      ? { ...none, both: [{ people: picked, projects: mine, isWide }] }
      : { ...none, assignees: picked };
  }
  const seen = sql`SELECT no FROM picked INTERSECT SELECT no FROM seen_people`;
  const unseen = {
    people: sql`SELECT no FROM picked EXCEPT SELECT no FROM seen_people`,
    projects: mine,
    isWide: false,
  };
  return isNarrowed
    ? { ...none, both: [unseen, { people: seen, projects: allProjects(caller, filter), isWide }] }
    : { ...none, both: [unseen], assignees: seen };
}

/** The projects of the workspace that the parameters allow. */
function allProjects(caller: Caller, { projectId, projectStatus }: ScopeFilter): SQL {
  const conditions = [sql`${p.ws} = ${caller.workspace}`];
  if (projectId !== undefined) conditions.push(sql`${p.id} = ${projectId}`);
  if (projectStatus !== undefined) conditions.push(sql`${p.status} = ${projectStatus}`);
  return sql`SELECT ${p.id} AS id FROM ${p} WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** Those of them that are not the caller's projects. */
function elsewhere(caller: Caller, filter: ScopeFilter): SQL {
  return sql`
    SELECT ap.id AS id FROM (${allProjects(caller, filter)}) ap
    WHERE instr((SELECT ids FROM my_project_list), '/' || ap.id || '/') = 0`;
}

/**
 * The same as a condition on a comment `c`, for the comments that a search finds. It searches texts, because searching
 * tables would count as a row each time.
 */
export function isShown(caller: Caller, filter: ScopeFilter): { tables: SQL; condition: SQL } {
  // The number of the caller is bound, and D1 binds it as REAL.
  const list = (name: string, column: string, rows: SQL) => sql`
    ${sql.raw(name)} (ids) AS MATERIALIZED (
      SELECT coalesce(group_concat('/' || CAST(${sql.raw(column)} AS INTEGER) || '/', ''), '') FROM (${rows}))`;
  const tables = [
    list('picked_list', 'no', sql`SELECT no FROM picked`),
    list('seen_list', 'no', sql`SELECT no FROM seen_people`),
    list('elsewhere_list', 'id', elsewhere(caller, filter)),
  ];
  const isIn = (name: string, id: SQL) =>
    sql`instr((SELECT ids FROM ${sql.raw(name)}), '/' || ${id} || '/') > 0`;
  const inMine = coversWorkspace(filter) ? sql`true` : isIn('my_project_list', c.project);
  const ofSeen = sql`(${isIn('seen_list', c.assignee)} AND ${isIn('elsewhere_list', c.project)})`;
  const shown = seesPeople(filter) ? sql`(${inMine} OR ${ofSeen})` : inMine;
  const picked = picksPeople(filter) ? isIn('picked_list', c.assignee) : sql`true`;
  return { tables: sql.join(tables, sql`, `), condition: sql`(${shown} AND ${picked})` };
}
