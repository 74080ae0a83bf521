import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const r = aliasTable(taskRelations, 'r');
const t = aliasTable(tasks, 't');

const planColumns = selectColumns({
  id: t.id,
  start_date: t.start_date,
  blockers: withType<string>(sql`iif(${t.open_blockers} = 0, '[]', (
    SELECT json_group_array(${r.source}) FROM ${r} INDEXED BY task_relations_by_target
    WHERE ${r.ws} = ${t.ws} AND ${r.target} = ${t.id} AND ${r.type} = 'blocks'))`),
});
type PlanRow = Row<typeof planColumns>;

/**
 * Returns each task's start date, and a JSON list of the tasks that block it. The list can also contain tasks that
 * are completed or that the caller can't see, which the code that calls this must leave out.
 */
export function listTaskPlans({ workspace }: Caller, ids: SQL): Statement<PlanRow[]> {
  return readRows(sql`
    SELECT ${planColumns} FROM (${ids}) page CROSS JOIN ${t} NOT INDEXED ON ${t.id} = page.id AND ${t.ws} = ${workspace}`);
}
