import { readNumber, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { queueDetails } from '../../search/index/detail-search.queries.ts';

const cf = aliasTable(customFields, 'cf');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

export function hasExpiredFields(before: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${cf} INDEXED BY custom_fields_deleted WHERE ${cf.deleted_at} <= ${before})`;
}

const expiredColumns = selectColumns({ id: cf.id, ws: cf.ws });
export type ExpiredField = Row<typeof expiredColumns>;

export function listExpiredFields(before: number, limit: number): Statement<ExpiredField[]> {
  return readRows(sql`
    SELECT ${expiredColumns} FROM ${cf} INDEXED BY custom_fields_deleted
    WHERE ${cf.deleted_at} <= ${before} ORDER BY ${cf.deleted_at}, ${cf.id} LIMIT ${limit}`);
}

/**
 * Selects some of the tasks that still have a value. Each slice removes the values of its tasks, so the next slice
 * selects other tasks.
 */
function selectNextTasks({ id, ws }: ExpiredField, limit: number): SQL {
  const path = sql.raw(`'$.cf_${id}'`);
  return sql`
    SELECT ${t.id} FROM ${p} INDEXED BY projects_by_workspace
    CROSS JOIN ${t} INDEXED BY tasks_with_field_values ON ${t.project} = ${p.id} AND ${t.field_values} IS NOT NULL
    WHERE ${p.ws} = ${ws} AND ${t.ws} = ${ws} AND ${t.field_values} -> ${path} IS NOT NULL LIMIT ${limit}`;
}

/** Doesn't increase the tasks' versions, because the API doesn't return the values of deleted fields. */
export function removeNextValues(field: ExpiredField, limit: number): Statement<void> {
  const path = sql.raw(`'$.cf_${field.id}'`);
  return write(sql`
    UPDATE ${tasks} SET ${tasks.field_values} = nullif(json_remove(${tasks.field_values}, ${path}), '{}')
    WHERE ${tasks}.id IN (${selectNextTasks(field, limit)}) AND ${tasks}.ws = ${field.ws}`);
}

/** Must run before the values are removed, because it selects tasks that still have a value. */
export function queueNextTasks(field: ExpiredField, limit: number): Statement<void> {
  return queueDetails(field.ws, selectNextTasks(field, limit));
}

export function countNextValues(field: ExpiredField): Statement<number> {
  return readNumber(sql`SELECT count(*) AS n FROM (${selectNextTasks(field, 1)})`);
}

export function removeEmptyField(field: ExpiredField): Statement<void>[] {
  const { id, ws } = field;
  const isEmpty = sql`NOT EXISTS (${selectNextTasks(field, 1)})`;
  return [
    write(sql`
      UPDATE ${projects} SET ${projects.field_ids} = nullif((
        SELECT json_group_array(j.value) FROM json_each(${projects.field_ids}) j WHERE j.value <> ${id}), '[]')
      WHERE ${projects.ws} = ${ws} AND ${projects.field_ids} IS NOT NULL AND ${isEmpty}
        AND EXISTS (SELECT 1 FROM json_each(${projects.field_ids}) j WHERE j.value = ${id})`),
    write(sql`
      DELETE FROM ${customFields} WHERE ${customFields.id} = ${id} AND ${customFields.ws} = ${ws} AND ${isEmpty}`),
  ];
}
