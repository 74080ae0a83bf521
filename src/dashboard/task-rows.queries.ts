import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { leftJoined, names, type SQL, sql } from '../kernel/sql.ts';
import { projects } from '../projects/projects.sql.ts';
import { taskCategories, taskStatusRows, taskTypes } from '../reference/reference.sql.ts';
import { tasks } from '../task-model/tasks.sql.ts';
import { members } from '../workspaces/workspaces.sql.ts';
import type { TaskFilter } from './found-tasks.queries.ts';
import { scopeTables } from './scope.queries.ts';

const a = leftJoined(members, 'a');
const c = leftJoined(taskCategories, 'c');
const p = names(projects, 'p');
const t = names(tasks, 't');
const ts = names(taskStatusRows, 'ts');
const y = leftJoined(taskTypes, 'y');

export interface DashboardTaskRow {
  id: number;
  name: string;
  status: number;
  status_label: string;
  status_color: string;
  tags: string;
  due: string;
  name_key: string;
  project_id: number;
  project_name: string;
  assignee_id: string | null;
  assignee_name: string | null;
  assignee_image: string | null;
  category_id: number | null;
  category_key: string | null;
  category_value: string | null;
  type_id: number | null;
  type_key: string | null;
  type_value: string | null;
}

/** @param pageIds selects the column `id`, in order; may use the tables of the scope. */
export function listDashboardTasks(
  caller: Caller,
  filter: TaskFilter,
  pageIds: SQL,
): Statement<DashboardTaskRow[]> {
  return rows<DashboardTaskRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)},
    page (id, position) AS MATERIALIZED (
      SELECT id, row_number() OVER () FROM (${pageIds}))
    SELECT ${t.id} AS id, ${t.name} AS name, ${t.status} AS status, ${ts.label} AS status_label,
      ${ts.color} AS status_color,
      ${t.tags} AS tags, ${t.due} AS due, ${t.name_key} AS name_key, ${p.id} AS project_id,
        ${p.name} AS project_name,
      ${a.user_id} AS assignee_id, ${a.name} AS assignee_name, ${a.image} AS assignee_image,
      ${c.id} AS category_id, ${c.key} AS category_key, ${c.value} AS category_value,
      ${y.id} AS type_id, ${y.key} AS type_key, ${y.value} AS type_value
    FROM page CROSS JOIN ${t} ON ${t.id} = page.id AND ${t.ws} = ${caller.workspace}
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    CROSS JOIN ${ts} ON ${ts.id} = ${t.status} + 1
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LEFT JOIN ${c} ON ${c.id} = ${t.category}
    LEFT JOIN ${y} ON ${y.id} = ${t.type}
    ORDER BY page.position`);
}
