import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskStatusRows, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { buildScopeTables } from '../scope/scope.queries.ts';

const a = aliasLeftJoinedTable(members, 'a');
const c = aliasLeftJoinedTable(taskCategories, 'c');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');
const ts = aliasTable(taskStatusRows, 'ts');
const y = aliasLeftJoinedTable(taskTypes, 'y');

const dashboardTaskColumns = selectColumns({
  id: t.id,
  name: t.name,
  status: t.status,
  status_label: ts.label,
  status_color: ts.color,
  tags: t.tags,
  due: t.due,
  name_key: t.name_key,
  project_id: p.id,
  project_name: p.name,
  assignee_id: a.user_id,
  assignee_name: a.name,
  assignee_image: a.image,
  category_id: c.id,
  category_key: c.key,
  category_value: c.value,
  type_id: y.id,
  type_key: y.key,
  type_value: y.value,
});
export type DashboardTaskRow = Row<typeof dashboardTaskColumns>;

/** `pageIds` is a SELECT of task ids in page order. It can use the tables that `buildScopeTables` defines. */
export function listDashboardTasks(
  caller: Caller,
  filter: DashboardFilter,
  pageIds: SQL,
): Statement<DashboardTaskRow[]> {
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)},
    page (id, position) AS MATERIALIZED (
      SELECT id, row_number() OVER () FROM (${pageIds}))
    SELECT ${dashboardTaskColumns}
    FROM page CROSS JOIN ${t} ON ${t.id} = page.id AND ${t.ws} = ${caller.workspace}
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    CROSS JOIN ${ts} ON ${ts.id} = ${t.status} + 1
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LEFT JOIN ${c} ON ${c.id} = ${t.category}
    LEFT JOIN ${y} ON ${y.id} = ${t.type}
    ORDER BY page.position`);
}
