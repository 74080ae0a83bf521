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
 * The scope of a dashboard as kinds of counter rows and index ranges: tasks of a project, of an assignee, or of an assignee
 * in a project, and their comments. Pages and totals are built from the same sources.
 */

/** SELECTs of `no` and of `id`, which may read the tables of `scopeTables`. */
export interface Pairs {
  people: SQL;
  projects: SQL;
  /** The projects are filtered by status, so they may be nearly all. */
  isWide: boolean;
}

export interface Sources {
  /** Selects `id`. */
  projects: SQL | null;
  /** Selects `no`. */
  assignees: SQL | null;
  both: readonly Pairs[];
  /** The overlap of a project source and an assignee source. Pages leave it out of one of the two, totals subtract it. */
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

/** Projects of the workspace that the parameters allow. */
function allProjects(caller: Caller, filter: ScopeFilter): SQL {
  return sql`SELECT ${p.id} AS id FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${isAllowed(filter)}`;
}

/** Those projects without the caller's. */
export function elsewhere(caller: Caller, filter: ScopeFilter): SQL {
  return sql`
    SELECT ap.id AS id FROM (${allProjects(caller, filter)}) ap
    WHERE NOT ${isIn('my_project_list', sql`ap.id`)}`;
}
