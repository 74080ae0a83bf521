import type { Caller } from '../kernel/access.ts';
import { rows, type SQL, type Statement } from '../kernel/database.ts';
import { names, sql } from '../kernel/sql.ts';
import { timeEntries } from '../time-tracking/time-tracking.sql.ts';
import { type ScopeFilter, scopeTables, seesEveryProject } from './scope.queries.ts';

const e = names(timeEntries, 'e');

export interface TrackedRow {
  task: number;
  seconds: number;
}

/** What the people whom the role sees have worked on each task of a page, in whole seconds; a running entry up to now. */
export function sumTracked(
  caller: Caller,
  filter: ScopeFilter,
  pageIds: SQL,
  now: number,
): Statement<TrackedRow[]> {
  const isSeen = seesEveryProject(filter) ? sql`true` : sql`${e.member} IN (SELECT no FROM seen_people)`;
  return rows<TrackedRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT ${e.task} AS task,
      sum(CAST((max(coalesce(${e.ended_at}, ${now}), ${e.started_at}) - ${e.started_at}) / 1000 AS INTEGER)) AS seconds
    FROM (${pageIds}) page CROSS JOIN ${e} INDEXED BY time_entries_by_task ON ${e.task} = page.id
      AND ${e.ws} = ${caller.workspace}
    WHERE ${isSeen} GROUP BY ${e.task}`);
}
