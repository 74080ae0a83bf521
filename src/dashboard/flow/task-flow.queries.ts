import type { Caller } from '../../kernel/access/access.ts';
import { rows } from '../../kernel/sql/database.ts';
import { columns, names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { columnAt, dueColumns, flowDays } from '../../schema/cell/counters.ts';
import { coversWorkspace, type ScopeFilter, scopeTables } from '../scope/scope.queries.ts';

const f = names(flowDays, 'f');

const sum = (status: number) => typed<number>(sql`sum(${f[columnAt(dueColumns, status)]})`);
const dayColumns = columns({
  day: f.day,
  status0: sum(0),
  status1: sum(1),
  status2: sum(2),
  status3: sum(3),
  status4: sum(4),
});

/** Unarchived tasks of the caller's projects at the start of each day since `since`. Days without a row are missing. */
export function listFlowDays(caller: Caller, filter: ScopeFilter, since: string) {
  const behind = (project: SQL) =>
    sql`${f.ws} = ${caller.workspace} AND ${f.project} = ${project} AND ${f.day} >= ${since}`;
  if (coversWorkspace(filter))
    return rows(sql`SELECT ${dayColumns} FROM ${f} WHERE ${behind(sql`0`)} GROUP BY ${f.day}`);
  return rows(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT ${dayColumns} FROM my_projects mp CROSS JOIN ${f} ON ${behind(sql`mp.id`)} GROUP BY ${f.day}`);
}
