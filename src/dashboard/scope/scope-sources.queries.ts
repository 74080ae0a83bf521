import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import {
  allowsEveryProject,
  hasPeopleFilter,
  includesPeople,
  isAllowedProject,
  isInIdList,
  type ScopeFilter,
  seesEveryProject,
} from './scope.queries.ts';

const p = aliasTable(projects, 'p');

/* For a page, each source of the scope is read from an index range. For a total, it is read from counter rows. */

export interface PeopleAndProjects {
  people: SQL;
  projects: SQL;
  /** True if the filter may keep nearly all projects, as a filter by project status can. */
  isWide: boolean;
}

export interface ScopeSources {
  projects: SQL | null;
  assignees: SQL | null;
  both: readonly PeopleAndProjects[];
  /** Selects the tasks that both a project source and an assignee source count. Totals subtract them once. */
  overlap: PeopleAndProjects | null;
}

export function buildScopeSources(caller: Caller, filter: ScopeFilter): ScopeSources {
  const isNarrowed = !allowsEveryProject(filter);
  const isWide = filter.projectId === undefined && filter.projectStatus !== undefined;
  const mine = sql`SELECT id FROM my_projects`;
  const none: ScopeSources = { projects: null, assignees: null, both: [], overlap: null };

  if (!hasPeopleFilter(filter)) {
    if (!includesPeople(filter)) return { ...none, projects: mine };
    const people = sql`SELECT no FROM seen_people`;
    return isNarrowed
      ? { ...none, projects: mine, both: [{ people, projects: selectOtherProjects(caller, filter), isWide }] }
      : { ...none, projects: mine, assignees: people, overlap: { people, projects: mine, isWide } };
  }
  const picked = sql`SELECT no FROM picked`;
  if (!includesPeople(filter)) {
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
    ? { ...none, both: [unseen, { people: seen, projects: selectAllowedProjects(caller, filter), isWide }] }
    : { ...none, both: [unseen], assignees: seen };
}

function selectAllowedProjects(caller: Caller, filter: ScopeFilter): SQL {
  return sql`SELECT ${p.id} AS id FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${isAllowedProject(filter)}`;
}

export function selectOtherProjects(caller: Caller, filter: ScopeFilter): SQL {
  return sql`
    SELECT ap.id AS id FROM (${selectAllowedProjects(caller, filter)}) ap
    WHERE NOT ${isInIdList('my_project_list', sql`ap.id`)}`;
}
