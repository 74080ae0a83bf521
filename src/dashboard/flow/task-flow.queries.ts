import type { Caller } from '../../kernel/access/access.ts';
import { readRows } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { dueColumns, flowDays, getColumnAt } from '../../schema/cell/counters.ts';
import { buildScopeTables, coversWorkspace, type ScopeFilter } from '../scope/scope.queries.ts';

const f = aliasTable(flowDays, 'f');

const sumStatus = (status: number) => withType<number>(sql`sum(${f[getColumnAt(dueColumns, status)]})`);
const flowDayColumns = selectColumns({
  day: f.day,
  status0: sumStatus(0),
  status1: sumStatus(1),
  status2: sumStatus(2),
  status3: sumStatus(3),
  status4: sumStatus(4),
});

export function listFlowDays(caller: Caller, filter: ScopeFilter, since: string) {
  const isShown = (project: SQL) =>
    sql`${f.ws} = ${caller.workspace} AND ${f.project} = ${project} AND ${f.day} >= ${since}`;
  if (coversWorkspace(filter))
    return readRows(sql`SELECT ${flowDayColumns} FROM ${f} WHERE ${isShown(sql`0`)} GROUP BY ${f.day}`);
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${flowDayColumns} FROM my_projects mp CROSS JOIN ${f} ON ${isShown(sql`mp.id`)} GROUP BY ${f.day}`);
}
