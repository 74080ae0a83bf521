import type { Caller } from '../../kernel/access/access.ts';
import { constants } from '../../kernel/lists/merge-page.queries.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import {
  coversWorkspace,
  inScope,
  isIn,
  isOfEveryProject,
  isOutsideMyProjects,
  isSeen,
  picksPeople,
  type ScopeFilter,
  seesPeople,
} from '../scope/scope.queries.ts';

const t = names(tasks, 't');

/* Tasks of the scope by their deadline, for use within `scopeTables`. */

/** Deadlines to read. `statuses` are indexes; archived tasks never count. */
export interface DueRange {
  statuses: readonly number[];
  /** A table of days: `first` (included) and `until` (excluded). */
  spans: SQL;
}

/** Ranges of one index, and the condition that their tasks `t` belong to the scope. */
interface Source {
  tables: SQL;
  condition: SQL;
}

/** Unarchived tasks `t` of the scope with a deadline in the range: one SELECT of `what` per source. */
export function scopedTasks(caller: Caller, filter: ScopeFilter, range: DueRange, what: SQL): SQL {
  return select(sourcesOf(caller, filter, range), what);
}

/** Tasks of visible people outside the caller's projects. */
export function tasksOfPeopleElsewhere(filter: ScopeFilter, range: DueRange, what: SQL): SQL {
  return select([elsewhere(filter, range)], what);
}

/**
 * The first `most` tasks of the range, in no order: `project`, whether that is the caller's (`is_mine`), and whether the
 * task belongs to the scope (`fits`). It stops after `most` tasks even if few of them fit.
 */
export function walkedTasks(caller: Caller, filter: ScopeFilter, range: DueRange, most: number): SQL {
  const sources = mustCheckEach(filter) ? ofProject(caller, filter, range) : null;
  const walked = (sources ?? sourcesOf(caller, filter, range)).map(
    ({ tables, condition }) => sql`
      SELECT ${t.project} AS project, ${isIn('my_project_list', t.project)} AS is_mine, ${condition} AS fits FROM ${tables}`,
  );
  return sql`SELECT project, is_mine, fits FROM (${sql.join(walked, sql` UNION ALL `)}) LIMIT ${most}`;
}

/** Whether the scope includes every task of the ranges. */
export function isAllOfRanges(filter: ScopeFilter): boolean {
  return !picksPeople(filter) ? !seesPeople(filter) : coversWorkspace(filter);
}

/** Whether the ranges by people include tasks outside the projects of the filter. */
export function mustCheckEach(filter: ScopeFilter): boolean {
  return picksPeople(filter) ? !coversWorkspace(filter) : seesPeople(filter) && !isOfEveryProject(filter);
}

/** All tasks of the filter's only project: more of them match than of the people's tasks. */
function ofProject(caller: Caller, filter: ScopeFilter, range: DueRange): Source[] | null {
  if (filter.projectId === undefined) return null;
  const { ranges, due } = statusRanges(range);
  const inProject = sql`${t} INDEXED BY tasks_by_project_due ON ${t.project} = ${filter.projectId} AND ${due}`;
  return [
    {
      tables: sql`${ranges} CROSS JOIN ${inProject}`,
      condition: sql`(${t.ws} = ${caller.workspace} AND ${inScope(filter, t.project, t.assignee)})`,
    },
  ];
}

function select(sources: readonly Source[], what: SQL): SQL {
  return sql.join(
    sources.map(({ tables, condition }) => sql`SELECT ${what} FROM ${tables} WHERE ${condition}`),
    sql` UNION ALL `,
  );
}

function sourcesOf(caller: Caller, filter: ScopeFilter, range: DueRange): Source[] {
  if (picksPeople(filter)) {
    return [{ tables: ofPeople(sql`picked`, range), condition: isSeen(filter, t.project, t.assignee) }];
  }
  const { due } = statusRanges(range);
  const all = sql`true`;
  if (coversWorkspace(filter)) {
    const inWorkspace = sql`${t} INDEXED BY tasks_by_due ON ${t.ws} = ${caller.workspace} AND ${due}`;
    return [{ tables: sql`${rangesOf(range)} CROSS JOIN ${inWorkspace}`, condition: all }];
  }
  const inProject = sql`${t} INDEXED BY tasks_by_project_due ON ${t.project} = mp.id AND ${due}`;
  const inProjects = {
    tables: sql`${rangesOf(range, sql`my_projects mp`)} CROSS JOIN ${inProject}`,
    condition: all,
  };
  return seesPeople(filter) ? [inProjects, elsewhere(filter, range)] : [inProjects];
}

function elsewhere(filter: ScopeFilter, range: DueRange): Source {
  return { tables: ofPeople(sql`seen_people`, range), condition: isOutsideMyProjects(filter, t.project) };
}

function ofPeople(people: SQL, range: DueRange): SQL {
  const { due } = statusRanges(range);
  return sql`
    ${rangesOf(range, sql`${people} pp`)}
    CROSS JOIN ${t} INDEXED BY tasks_by_assignee_due ON ${t.assignee} = pp.no AND ${due}`;
}

/**
 * FROM clause for the ranges of some owners. The statuses come last: as constants they cost no rows, however often they are
 * read.
 */
function rangesOf({ statuses, spans }: DueRange, owners?: SQL): SQL {
  const of = owners ? sql`CROSS JOIN ${owners}` : sql``;
  return sql`${spans} sp ${of} CROSS JOIN ${constants(statuses)} ss`;
}

export function statusRanges(range: DueRange): { ranges: SQL; due: SQL } {
  return {
    ranges: rangesOf(range),
    due: sql`${t.archived_status} = ss.column1 AND ${t.due} >= sp.first AND ${t.due} < sp.until`,
  };
}
