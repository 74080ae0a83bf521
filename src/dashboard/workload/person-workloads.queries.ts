import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { halfMonthColumns, memberHalfMonths, taskCounts } from '../../schema/cell/counters.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { listHalfMonths } from '../../tasks/counters/day-columns.queries.ts';
import { buildScopeTables, hasPeopleFilter, type ScopeFilter } from '../scope/scope.queries.ts';
import {
  buildLoadColumns,
  type HalfMonthColumns,
  isMemberCounter,
  isMemberInScope,
  selectFilteredProjects,
  type WorkloadWindow,
} from './workload.queries.ts';

const counts = aliasLeftJoinedTable(taskCounts, 'c');
const m = aliasLeftJoinedTable(members, 'm');

/** The maximum number of pairs of a person and a project. A filter by project status reads one counter row per pair. */
const MEMBER_PROJECT_PAIRS_MAX = sql.raw('75');

const counterColumns = {
  few: withType<number>(sql`f.few`),
  user_id: m.user_id,
  name: m.name,
  email: m.email,
  image: m.image,
  ...buildLoadColumns(String),
};
const loadColumns = selectColumns({
  ...counterColumns,
  due: withType<number>(sql`0`),
  due_hours: withType<number>(sql`0`),
  completed: withType<number>(sql`0`),
  completed_hours: withType<number>(sql`0`),
});
/**
 * A person's counters in one project or in all projects. In rows without a listed person, the person's columns are
 * null.
 */
export type PersonWorkloadRow = Row<typeof loadColumns>;

/** Joins the counters of each half month by primary key. Separate statements would read more rows per person. */
export function listPersonWorkloads(
  caller: Caller,
  filter: ScopeFilter,
  window: WorkloadWindow,
): Statement<PersonWorkloadRow[]> {
  const halves = listHalfMonths(window.from, window.to).map((half, index) => ({
    ...half,
    h: aliasLeftJoinedTable(memberHalfMonths, `h${index}`),
  }));
  const sumDays = (names: HalfMonthColumns) => {
    const days = halves.flatMap(({ h, first, last }) =>
      names.slice(first - 1, last).map((name) => sql`coalesce(${h[name]}, 0)`),
    );
    return withType<number>(sql.join([sql`0`, ...days], sql` + `));
  };
  const joins = halves.map(
    ({ h, row }) => sql`
      LEFT JOIN ${h} ON ${h.ws} = ${m.ws} AND ${h.member} = ${m.no} AND ${h.project} = ${counts.project}
        AND ${h.half} = ${row}`,
  );
  const fromAll = sql`LEFT JOIN ${m} INDEXED BY members_by_workspace ON ${isListedMember(caller, filter)} AND f.few`;
  const fromPicked = sql`
    LEFT JOIN picked pp ON f.few LEFT JOIN ${m} ON ${m.no} = pp.no AND ${isListedMember(caller, filter)}`;
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${selectColumns({
      ...counterColumns,
      due: sumDays(halfMonthColumns.due),
      due_hours: sumDays(halfMonthColumns.due_hours),
      completed: sumDays(halfMonthColumns.done),
      completed_hours: sumDays(halfMonthColumns.done_hours),
    })}
    FROM (SELECT ${hasFewMemberProjectPairs(caller, filter)} AS few LIMIT -1) f
    ${hasPeopleFilter(filter) ? fromPicked : fromAll}
    LEFT JOIN ${counts} ON ${isMemberCounter(caller, filter, counts)} ${sql.join(joins, sql` `)}`);
}

function isListedMember(caller: Caller, filter: ScopeFilter): SQL {
  return sql`${m.ws} = ${caller.workspace} AND ${m.ended_at} IS NULL AND ${isMemberInScope(filter)}`;
}

function hasFewMemberProjectPairs(caller: Caller, filter: ScopeFilter): SQL {
  if (filter.projectStatus === undefined) return sql`1`;
  return sql`(
    WITH sized (projects) AS MATERIALIZED (SELECT count(*) FROM (${selectFilteredProjects(caller, filter)}))
    SELECT projects * (
      SELECT count(*) FROM (
        SELECT 1 FROM ${m} WHERE ${isListedMember(caller, filter)}
        LIMIT (SELECT ${MEMBER_PROJECT_PAIRS_MAX} / max(1, projects) + 1 FROM sized))) <= ${MEMBER_PROJECT_PAIRS_MAX}
    FROM sized)`;
}
