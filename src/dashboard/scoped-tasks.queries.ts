import type { Caller } from '../kernel/access.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { tasks } from '../task-model/tasks.sql.ts';
import {
  besideMyProjects,
  coversWorkspace,
  inScope,
  picksPeople,
  type ScopeFilter,
  seesPeople,
} from './scope.queries.ts';

const t = names(tasks, 't');

/* Tasks of the scope by their deadline. To be used within `scopeTables`. */

/** Deadlines to read; `statuses` are indexes, archived tasks never count. */
export interface DueRange {
  statuses: readonly number[];
  /** A table of days: `first`, and `until`, the first that no longer counts. */
  spans: SQL;
}

/** Unarchived tasks `t` of the scope with a deadline in the range, by index; one SELECT of `what` a source. */
export function scopedTasks(caller: Caller, filter: ScopeFilter, range: DueRange, what: SQL): SQL {
  if (picksPeople(filter))
    return tasksOfPeople(sql`picked`, range, what, inScope(filter, t.project, t.assignee));
  const { ranges, due } = statusRanges(range);
  if (coversWorkspace(filter))
    return sql`SELECT ${what} FROM ${ranges}
      CROSS JOIN ${t} INDEXED BY tasks_by_due ON ${t.ws} = ${caller.workspace} AND ${due}`;
  const projects = sql`
    SELECT ${what} FROM my_projects mp CROSS JOIN ${ranges}
    CROSS JOIN ${t} INDEXED BY tasks_by_project_due ON ${t.project} = mp.id AND ${due}`;
  return seesPeople(filter)
    ? sql`${projects} UNION ALL ${tasksOfPeopleElsewhere(filter, range, what)}`
    : projects;
}

/** The tasks of seen people that are in none of the caller's projects. */
export function tasksOfPeopleElsewhere(filter: ScopeFilter, range: DueRange, what: SQL): SQL {
  return tasksOfPeople(sql`seen_people`, range, what, besideMyProjects(filter, t.project));
}

function tasksOfPeople(people: SQL, range: DueRange, what: SQL, condition: SQL): SQL {
  const { ranges, due } = statusRanges(range);
  return sql`
    SELECT ${what} FROM ${people} pp CROSS JOIN ${ranges}
    CROSS JOIN ${t} INDEXED BY tasks_by_assignee_due ON ${t.assignee} = pp.no AND ${due} WHERE ${condition}`;
}

function statusRanges({ statuses, spans }: DueRange): { ranges: SQL; due: SQL } {
  return {
    ranges: sql`json_each(${JSON.stringify(statuses)}) ss CROSS JOIN ${spans} sp`,
    due: sql`${t.archived_status} = ss.value AND ${t.due} >= sp.first AND ${t.due} < sp.until`,
  };
}
