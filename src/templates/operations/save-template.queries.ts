import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { checklists } from '../../schema/cell/checklists.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectDescendants } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { toBuckets } from '../../tasks/model/buckets.ts';
import type { StoredRelation } from '../../tasks/model/relations.queries.ts';
import { selectDescriptionBytes } from '../../tasks/texts/task-texts.queries.ts';

const k = aliasLeftJoinedTable(checklists, 'k');
const r = aliasTable(taskRelations, 'r');
const t = aliasTable(tasks, 't');

const sourceColumns = selectColumns({
  id: t.id,
  parent: t.parent,
  archived: t.archived,
  name: t.name,
  priority: t.priority,
  tags: t.tags,
  start_date: t.start_date,
  due: t.due,
  due_time: t.due_time,
  estimated_hours: t.estimated_hours,
  category: t.category,
  type: t.type,
  field_values: t.field_values,
  created_at: t.created_at,
  bytes: selectDescriptionBytes(t),
  lines: k.lines,
});
export type SourceTask = Row<typeof sourceColumns>;

const joinChecklist = sql`LEFT JOIN ${k} ON ${k.task} = ${t.id} AND ${k.ws} = ${t.ws}`;

/** Lists the task and its descendants, with parents before their subtasks and subtasks in manual order. */
export function listTaskTree(caller: Caller, id: number): Statement<SourceTask[]> {
  const root = withType<number>(sql`${id}`);
  const ids: SQL = sql`
    SELECT ${root} AS id, 1 AS level
    UNION ALL SELECT d.id, d.level FROM (${selectDescendants(sql`SELECT ${id} AS id`)}) d`;
  return readRows(sql`
    SELECT ${sourceColumns} FROM (${ids}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id ${joinChecklist}
    WHERE ${t.ws} = ${caller.workspace} ORDER BY d.level, ${t.parent_place}, ${t.id}`);
}

function selectProjectTasks({ workspace }: Caller, project: number, limit: number): SQL {
  const buckets = JSON.stringify(toBuckets({ isArchived: false }));
  return sql`
    SELECT ${t.id} AS id FROM json_each(${buckets}) b
    CROSS JOIN ${t} INDEXED BY tasks_by_project ON ${t.project} = ${project} AND ${t.bucket} = b.value
    WHERE ${t.ws} = ${workspace} LIMIT ${limit}`;
}

/**
 * Leaves out the tasks of meetings, which are the only tasks with a duration. A meeting has one task per participant.
 */
export function listProjectTasks(caller: Caller, project: number, limit: number): Statement<SourceTask[]> {
  return readRows(sql`
    SELECT ${sourceColumns} FROM (${selectProjectTasks(caller, project, limit)}) d
    CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id ${joinChecklist}
    WHERE ${t.ws} = ${caller.workspace} AND ${t.duration_minutes} IS NULL`);
}

export function countProjectTasks(caller: Caller, project: number, limit: number): Statement<number> {
  return readNumber(sql`SELECT count(*) AS n FROM (${selectProjectTasks(caller, project, limit)})`);
}

const relationColumns = selectColumns({ type: r.type, source: r.source, target: r.target });

export function listRelationsBetween(
  { workspace }: Caller,
  ids: readonly number[],
  limit: number,
): Statement<StoredRelation[]> {
  return readRows(sql`
    SELECT ${relationColumns} FROM json_each(${JSON.stringify(ids)}) i
    CROSS JOIN ${r} INDEXED BY task_relations_by_source ON ${r.ws} = ${workspace} AND ${r.source} = i.value
    WHERE ${r.target} IN ${buildInList(ids)} ORDER BY ${r.id} LIMIT ${limit}`);
}
