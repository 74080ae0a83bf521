import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

const parentColumns = selectColumns({
  id: t.id,
  name: t.name,
  archived: t.archived,
  project: t.project,
  project_name: p.name,
});
export type ParentTask = Row<typeof parentColumns>;

/** Lists the tasks that the caller can see, in projects where the caller can create tasks. */
export function listParentTasks(caller: Caller, ids: readonly number[]): Statement<ParentTask[]> {
  return readRows(sql`
    SELECT ${parentColumns} FROM ${t} NOT INDEXED CROSS JOIN ${p} ON ${p.id} = ${t.project}
    WHERE ${t.id} IN ${buildInList(ids)} AND ${isTaskVisible(t, caller)} AND ${isProjectVisible(caller, p.id)}`);
}
