import type { Caller } from '../../kernel/access/access.ts';
import { readFirstRow, readRows, type Statement } from '../../kernel/sql/database.ts';
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
import { meetings } from '../../schema/cell/meetings.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskStatusRows } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { type TaskStatus, taskStatuses } from '../../tasks/fields.ts';
import { toBuckets } from '../../tasks/model/buckets.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { isTaskVisible } from '../../tasks/visibility/task-visibility.queries.ts';

const g = aliasTable(meetings, 'g');
const k = aliasLeftJoinedTable(taskCounts, 'k');
const p = aliasTable(projects, 'p');
const s = aliasTable(taskStatusRows, 's');
const t = aliasTable(tasks, 't');

const statusColumns = selectColumns({
  value: withType<TaskStatus>(s.value),
  label: s.label,
  color: s.color,
});

export function listTaskStatusNames(): Statement<Row<typeof statusColumns>[]> {
  return readRows(sql`SELECT ${statusColumns} FROM ${s} WHERE ${s.is_active} = 1 ORDER BY ${s.position}`);
}

const counts = sql.join(
  taskStatuses.map((status) =>
    sql.join(
      toBuckets({ isArchived: false, status: [status] }).map(
        (bucket) => k[getColumnAt(bucketColumns, bucket)],
      ),
      sql` + `,
    ),
  ),
  sql`, `,
);
const projectColumns = selectColumns({
  task_columns: p.task_columns,
  counts: withType<string>(sql`json_array(${counts})`),
});
export type ProjectColumnsRow = Row<typeof projectColumns>;

function findColumns(condition: SQL): Statement<ProjectColumnsRow | null> {
  return readFirstRow(sql`
    SELECT ${projectColumns} FROM ${p}
    LEFT JOIN ${k} ON ${k.ws} = ${p.ws} AND ${k.member} = 0 AND ${k.project} = ${p.id}
    WHERE ${condition}`);
}

export function findProjectColumns(caller: Caller, id: number) {
  return findColumns(
    sql`${p.ws} = ${caller.workspace} AND ${p.id} = ${id} AND ${isProjectVisible(caller, p.id)}`,
  );
}

export function findMeetingColumns(caller: Caller, meeting: number) {
  return findColumns(sql`
    ${p.ws} = ${caller.workspace} AND ${p.id} = (SELECT ${g.project} FROM ${g} WHERE ${g.id} = ${meeting} AND ${g.ws} = ${caller.workspace})
      AND ${isProjectVisible(caller, p.id)}`);
}

/** People who follow a task see its project's status names, even if they can't see the project. */
export function findTaskColumns(caller: Caller, task: number) {
  return findColumns(sql`
    ${p.ws} = ${caller.workspace} AND ${p.id} = (SELECT ${t.project} FROM ${t} WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)})`);
}
