import type { Caller } from '../../kernel/access/access.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import {
  isAllowed,
  isIn,
  isOfEveryProject,
  picksPeople,
  type ScopeFilter,
  seesEveryProject,
  seesPeople,
} from './scope.queries.ts';

const p = names(projects, 'p');

/*
 * What a dashboard shows, as kinds of counter row and index range: tasks of a project, tasks of an assignee, or tasks of an
 * assignee in a project, and the comments on them. Pages and totals are made of the same sources.
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
  /** What a project source and an assignee source both have: pages drop one of the two, totals subtract it. */
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
function allProjects(caller: Caller, filter: ScopeFilter): SQL {
  return sql`SELECT ${p.id} AS id FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${isAllowed(filter)}`;
}

/** Those of them that are not the caller's projects. */
export function elsewhere(caller: Caller, filter: ScopeFilter): SQL {
  return sql`
    SELECT ap.id AS id FROM (${allProjects(caller, filter)}) ap
    WHERE NOT ${isIn('my_project_list', sql`ap.id`)}`;
}
