import { buildScopeTables, type ScopeFilter, seesEveryProject } from '../../dashboard/scope/scope.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type SQL, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { members } from '../../schema/cell/workspaces.ts';

const e = aliasTable(timeEntries, 'e');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

/** Sums whole seconds, including the time of running entries until now. */
export function sumTrackedSeconds(
  caller: Caller,
  filter: ScopeFilter,
  pageIds: SQL,
  now: number,
): Statement<{ task: number; seconds: number }[]> {
  const isSeen = seesEveryProject(filter) ? sql`true` : sql`${e.member} IN (SELECT no FROM seen_people)`;
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${selectColumns({ task: e.task, seconds: withType<number>(sql`sum(${selectEntrySeconds(now)})`) })}
    FROM (${pageIds}) page CROSS JOIN ${e} INDEXED BY time_entries_by_task ON ${e.task} = page.id
      AND ${e.ws} = ${caller.workspace}
    WHERE ${isSeen} GROUP BY ${e.task}`);
}

const reportColumns = selectColumns({
  project: p.id,
  project_name: p.name,
  member: m.no,
  user_id: m.user_id,
  person: m.name,
  seconds: withType<number>(sql.raw('s.seconds')),
  entries: withType<number>(sql.raw('s.entries')),
});
export type TimeReportRow = Row<typeof reportColumns>;

/** Limits how long a report blocks the database. Reading one more entry shows that there are too many. */
export const REPORT_ENTRIES_MAX = 20_000;
const ENTRIES_READ_MAX = sql.raw(String(REPORT_ENTRIES_MAX + 1));

/** Includes former members. With more than `REPORT_ENTRIES_MAX` entries, the sums are incomplete. */
export function sumTimeByProjectAndPerson(
  caller: Caller,
  filter: ScopeFilter,
  { sinceMs, beforeMs }: { sinceMs: number; beforeMs: number },
  now: number,
): Statement<TimeReportRow[]> {
  const isSeen = seesEveryProject(filter) ? sql`true` : sql`${m.no} IN (SELECT no FROM seen_people)`;
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)},
    sums (project, member, seconds, entries) AS MATERIALIZED (
      SELECT project, member, sum(seconds), count(*) FROM (
      SELECT ${t.project} AS project, ${m.no} AS member, ${selectEntrySeconds(now)} AS seconds
      FROM ${m} INDEXED BY members_by_workspace
      CROSS JOIN ${e} INDEXED BY time_entries_by_member ON ${e.member} = ${m.no}
        AND ${e.started_at} >= ${sinceMs} AND ${e.started_at} < ${beforeMs}
      CROSS JOIN ${t} ON ${t.id} = ${e.task} AND ${t.ws} = ${caller.workspace}
      WHERE ${m.ws} = ${caller.workspace} AND ${isSeen} LIMIT ${ENTRIES_READ_MAX}) GROUP BY 1, 2)
    SELECT ${reportColumns}
    FROM sums s CROSS JOIN ${p} ON ${p.id} = s.project AND ${p.ws} = ${caller.workspace}
    CROSS JOIN ${m} ON ${m.no} = s.member
    ORDER BY s.project, s.member`);
}

function selectEntrySeconds(now: number): SQL {
  return sql`CAST((max(coalesce(${e.ended_at}, ${now}), ${e.started_at}) - ${e.started_at}) / 1000 AS INTEGER)`;
}
