import type { Caller } from '../../kernel/access/access.ts';
import { selectConstants } from '../../kernel/lists/merge-page.queries.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import {
  allowsEveryProject,
  coversWorkspace,
  hasPeopleFilter,
  includesPeople,
  isInIdList,
  isInScope,
  isOutsideMyProjects,
  isVisibleToRole,
  type ScopeFilter,
} from '../scope/scope.queries.ts';

const t = aliasTable(tasks, 't');

/* The SQL fragments in this file use the tables that `buildScopeTables` defines. */

/** `statuses` are positions in `taskStatuses`. Archived tasks are never included. */
export interface DueRange {
  statuses: readonly number[];
  /** A table of days. `first` is inclusive, `until` exclusive. */
  spans: SQL;
}

interface ScopeSource {
  tables: SQL;
  condition: SQL;
}

export function selectScopedTasks(caller: Caller, filter: ScopeFilter, range: DueRange, what: SQL): SQL {
  return unionSources(buildTaskSources(caller, filter, range), what);
}

export function selectTasksOutsideMyProjects(filter: ScopeFilter, range: DueRange, what: SQL): SQL {
  return unionSources([buildOtherProjectsSource(filter, range)], what);
}

/** Reads up to `most` tasks. The `fits` column is 1 for tasks in the scope. */
export function selectFirstTasks(caller: Caller, filter: ScopeFilter, range: DueRange, most: number): SQL {
  const sources = needsProjectCheck(filter) ? buildProjectSource(caller, filter, range) : null;
  const walked = (sources ?? buildTaskSources(caller, filter, range)).map(
    ({ tables, condition }) => sql`
      SELECT ${t.project} AS project, ${isInIdList('my_project_list', t.project)} AS is_mine, ${condition} AS fits FROM ${tables}`,
  );
  return sql`SELECT project, is_mine, fits FROM (${sql.join(walked, sql` UNION ALL `)}) LIMIT ${most}`;
}

export function scopeIncludesWholeRanges(filter: ScopeFilter): boolean {
  return !hasPeopleFilter(filter) ? !includesPeople(filter) : coversWorkspace(filter);
}

export function needsProjectCheck(filter: ScopeFilter): boolean {
  return hasPeopleFilter(filter)
    ? !coversWorkspace(filter)
    : includesPeople(filter) && !allowsEveryProject(filter);
}

/** Reads the project's tasks instead of the people's tasks, because a larger share of the project's tasks matches. */
function buildProjectSource(caller: Caller, filter: ScopeFilter, range: DueRange): ScopeSource[] | null {
  if (filter.projectId === undefined) return null;
  const { ranges, due } = buildStatusRanges(range);
  const inProject = sql`${t} INDEXED BY tasks_by_project_due ON ${t.project} = ${filter.projectId} AND ${due}`;
  return [
    {
      tables: sql`${ranges} CROSS JOIN ${inProject}`,
      condition: sql`(${t.ws} = ${caller.workspace} AND ${isInScope(filter, t.project, t.assignee)})`,
    },
  ];
}

function unionSources(sources: readonly ScopeSource[], what: SQL): SQL {
  return sql.join(
    sources.map(({ tables, condition }) => sql`SELECT ${what} FROM ${tables} WHERE ${condition}`),
    sql` UNION ALL `,
  );
}

function buildTaskSources(caller: Caller, filter: ScopeFilter, range: DueRange): ScopeSource[] {
  if (hasPeopleFilter(filter)) {
    return [
      {
        tables: buildAssignedTasksFromClause(sql`picked`, range),
        condition: isVisibleToRole(filter, t.project, t.assignee),
      },
    ];
  }
  const { due } = buildStatusRanges(range);
  const all = sql`true`;
  if (coversWorkspace(filter)) {
    const inWorkspace = sql`${t} INDEXED BY tasks_by_due ON ${t.ws} = ${caller.workspace} AND ${due}`;
    return [{ tables: sql`${buildRangesFromClause(range)} CROSS JOIN ${inWorkspace}`, condition: all }];
  }
  const inProject = sql`${t} INDEXED BY tasks_by_project_due ON ${t.project} = mp.id AND ${due}`;
  const inProjects = {
    tables: sql`${buildRangesFromClause(range, sql`my_projects mp`)} CROSS JOIN ${inProject}`,
    condition: all,
  };
  return includesPeople(filter) ? [inProjects, buildOtherProjectsSource(filter, range)] : [inProjects];
}

function buildOtherProjectsSource(filter: ScopeFilter, range: DueRange): ScopeSource {
  return {
    tables: buildAssignedTasksFromClause(sql`seen_people`, range),
    condition: isOutsideMyProjects(filter, t.project),
  };
}

function buildAssignedTasksFromClause(people: SQL, range: DueRange): SQL {
  const { due } = buildStatusRanges(range);
  return sql`
    ${buildRangesFromClause(range, sql`${people} pp`)}
    CROSS JOIN ${t} INDEXED BY tasks_by_assignee_due ON ${t.assignee} = pp.no AND ${due}`;
}

/** Joins the statuses last, because they are constants and repeating them reads no extra rows. */
function buildRangesFromClause({ statuses, spans }: DueRange, owners?: SQL): SQL {
  const of = owners ? sql`CROSS JOIN ${owners}` : sql``;
  return sql`${spans} sp ${of} CROSS JOIN ${selectConstants(statuses)} ss`;
}

export function buildStatusRanges(range: DueRange): { ranges: SQL; due: SQL } {
  return {
    ranges: buildRangesFromClause(range),
    due: sql`${t.archived_status} = ss.column1 AND ${t.due} >= sp.first AND ${t.due} < sp.until`,
  };
}
