import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import { containsText } from '../../kernel/sql/expressions.queries.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { bucketColumns, getColumnAt, taskCounts } from '../../schema/cell/counters.ts';
import { projects } from '../../schema/cell/projects.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { toStatusBuckets } from '../../tasks/model/buckets.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import {
  isInProjectScope,
  listMembersByProject,
  type ProjectRow,
  projectCounterJoin,
  projectListColumns,
} from './projects.queries.ts';
import type { ProjectScope } from './projects.schema.ts';

const a = aliasTable(activeMembers, 'a');
const o = aliasTable(members, 'o');
const p = aliasTable(projects, 'p');
const tc = aliasLeftJoinedTable(taskCounts, 'tc');

export interface OverviewFilter {
  scope: ProjectScope;
  search?: string | undefined;
  without: readonly string[];
}

function matchesOverviewFilter(caller: Caller, { scope, search, without }: OverviewFilter): SQL {
  const named = search ? sql`AND ${containsText(p.name, search)}` : sql``;
  return sql`${isInProjectScope(caller, scope)} ${named}
    AND ${p.status} NOT IN (SELECT value FROM json_each(${JSON.stringify(without)}))`;
}

function buildOverviewPageClause(caller: Caller, filter: OverviewFilter, range: PageRange): SQL {
  return sql`${matchesOverviewFilter(caller, filter)} AND ${isAfter(range, [{ column: p.id, isDescending: true }])}
    ORDER BY ${p.id} DESC ${buildLimit(range)}`;
}

const statusCounts = [...taskStatuses.keys()].map((status) => {
  const buckets = toStatusBuckets([status]).map((bucket) => String(tc[getColumnAt(bucketColumns, bucket)]));
  return sql`coalesce(${sql.raw(buckets.join(' + '))}, 0)`;
});

const overviewColumns = selectColumns({
  lead_name: o.name,
  progress: withType<string>(sql`json_array(${sql.join(statusCounts, sql`, `)})`),
});
export type OverviewRow = ProjectRow & Row<typeof overviewColumns>;

export function listOverviewProjects(
  caller: Caller,
  filter: OverviewFilter,
  range: PageRange,
): Statement<OverviewRow[]> {
  return readRows(sql`
    SELECT ${projectListColumns}, ${overviewColumns}
    FROM ${p} CROSS JOIN ${o} ON ${o.no} = ${p.owner} ${projectCounterJoin} WHERE ${buildOverviewPageClause(caller, filter, range)}`);
}

export function countOverviewProjects(caller: Caller, filter: OverviewFilter): Statement<number> {
  return readNumber(sql`SELECT count(*) AS total FROM ${p} WHERE ${matchesOverviewFilter(caller, filter)}`);
}

export function listOverviewMembers(caller: Caller, filter: OverviewFilter, range: PageRange) {
  return listMembersByProject(
    caller,
    sql`SELECT ${p.id} FROM ${p} WHERE ${buildOverviewPageClause(caller, filter, range)}`,
  );
}

const projectNameColumns = selectColumns({
  kind: withType<'project' | 'person'>(sql`'project'`),
  id: withType<string>(sql`CAST(f.id AS TEXT)`),
  name: withType<string>(sql`f.name`),
});
export type ProjectNameRow = Row<typeof projectNameColumns>;

export function findProjectsAndPeopleByName(
  caller: Caller,
  text: string,
  limit: number,
): Statement<ProjectNameRow[]> {
  return readRows(sql`
    SELECT ${projectNameColumns} FROM (
      SELECT ${p.id} AS id, ${p.name} AS name FROM ${p}
      WHERE ${p.ws} = ${caller.workspace} AND ${isProjectVisible(caller, p.id)} AND ${containsText(p.name, text)}
      ORDER BY ${p.id} DESC LIMIT ${limit}) f
    UNION ALL
    SELECT 'person', f.id, f.name FROM (
      SELECT ${a.user_id} AS id, ${a.name} AS name FROM ${a}
      WHERE ${a.ws} = ${caller.workspace} AND ${containsText(a.name, text)}
      ORDER BY ${a.name} COLLATE NOCASE, ${a.user_id} LIMIT ${limit}) f`);
}
