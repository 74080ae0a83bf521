import type { Caller } from '../../kernel/access/access.ts';
import { rows } from '../../kernel/sql/database.ts';
import { columns, names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { dueColumns, flowDays, getColumnAt } from '../../schema/cell/counters.ts';
import { buildScopeTables, coversWorkspace, type ScopeFilter } from '../scope/scope.queries.ts';

const f = names(flowDays, 'f');

const sumStatus = (status: number) => typed<number>(sql`sum(${f[getColumnAt(dueColumns, status)]})`);
const flowDayColumns = columns({
  day: f.day,
  status0: sumStatus(0),
  status1: sumStatus(1),
  status2: sumStatus(2),
  status3: sumStatus(3),
  status4: sumStatus(4),
});

/** Omits days without a row. */
export function listFlowDays(caller: Caller, filter: ScopeFilter, since: string) {
  const isShown = (project: SQL) =>
    sql`${f.ws} = ${caller.workspace} AND ${f.project} = ${project} AND ${f.day} >= ${since}`;
  if (coversWorkspace(filter))
    return rows(sql`SELECT ${flowDayColumns} FROM ${f} WHERE ${isShown(sql`0`)} GROUP BY ${f.day}`);
  return rows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${flowDayColumns} FROM my_projects mp CROSS JOIN ${f} ON ${isShown(sql`mp.id`)} GROUP BY ${f.day}`);
}
