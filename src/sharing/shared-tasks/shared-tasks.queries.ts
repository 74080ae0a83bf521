import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type SQL, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { buildPageOrderBy, type PageSort } from '../../tasks/model/task-orders.queries.ts';
import { selectDescription } from '../../tasks/texts/task-texts.queries.ts';

const a = aliasLeftJoinedTable(members, 'a');
const oa = aliasTable(members, 'oa');
const t = aliasTable(tasks, 't');

const taskColumns = selectColumns({
  id: t.id,
  name: t.name,
  status: t.status,
  priority: t.priority,
  tags: t.tags,
  start_date: t.start_date,
  due: t.due,
  due_time: t.due_time,
  updated_at: t.updated_at,
  is_assigned: withType<0 | 1>(sql`${t.assignee} > 0`),
  subtasks: t.subtask_count,
  subtasks_completed: t.subtasks_completed,
  checklist_total: t.checklist_total,
  checklist_done: t.checklist_done,
});

const nameColumns = selectColumns({
  names: withType<string | null>(sql`iif(${a.no} IS NULL, NULL, json_insert(
    iif(${t.other_assignees} = '[]', '[]', (SELECT json_group_array(${oa.name} ORDER BY n.key)
      FROM json_each(${t.other_assignees}) n CROSS JOIN ${oa} ON ${oa.no} = n.value)), '$[#]', ${a.name}))`),
});
const noNames = selectColumns({ names: withType<string | null>(sql`NULL`) });
const descriptionColumn = selectColumns({ description: selectDescription(t) });
const noDescription = selectColumns({ description: withType<string | null>(sql`NULL`) });

export type SharedTaskRow = Row<typeof taskColumns> & Row<typeof nameColumns> & Row<typeof descriptionColumn>;

/** Reads names and descriptions only if visitors see them. `names` lists the first assignee last. */
export function buildSharedTaskQuery(
  { workspace }: Caller,
  { showsNames, isDetailed }: { showsNames: boolean; isDetailed: boolean },
) {
  const names = showsNames ? nameColumns : noNames;
  const description = isDetailed ? descriptionColumn : noDescription;
  const person = showsNames ? sql`LEFT JOIN ${a} ON ${a.no} = ${t.assignee}` : sql``;
  return (pageIds: SQL, sort: PageSort): Statement<SharedTaskRow[]> =>
    readRows(sql`
      SELECT ${taskColumns}, ${names}, ${description} FROM (${pageIds}) page
      CROSS JOIN ${t} ON ${t.id} = page.id AND ${t.ws} = ${workspace}
      ${person}
      ORDER BY ${buildPageOrderBy(sort)}`);
}
