// This file is long because the statements that read, check and change fields share their columns.
import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  rejectUnless,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { type CustomFieldType, customFields, type FieldOption } from '../../schema/cell/custom-fields.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { FIELDS_MAX } from './custom-fields.schema.ts';

const am = aliasTable(activeMembers, 'am');
const cf = aliasTable(customFields, 'cf');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

const definitionColumns = selectColumns({
  id: cf.id,
  name: cf.name,
  type: cf.type,
  options: cf.options,
  next_option: cf.next_option,
  version: cf.version,
});
export interface FieldDefinition {
  readonly id: number;
  readonly name: string;
  readonly type: CustomFieldType;
  readonly options: readonly FieldOption[];
  readonly next_option: number;
  readonly version: number;
}

const isNotDeleted = (caller: Caller) => sql`${cf.ws} = ${caller.workspace} AND ${cf.deleted_at} IS NULL`;

function readDefinitions(query: SQL<Row<typeof definitionColumns>>): Statement<FieldDefinition[]> {
  const rows = readRows(query);
  return {
    ...rows,
    read: (found) => rows.read(found).map((row) => ({ ...row, options: JSON.parse(row.options) })),
  };
}

export function listDefinitions(caller: Caller, range?: PageRange): Statement<FieldDefinition[]> {
  const page = range
    ? sql`AND ${isAfter(range, [{ column: cf.id }])} ORDER BY ${cf.id} ${buildLimit(range)}`
    : sql`ORDER BY ${cf.id}`;
  return readDefinitions(sql`
    SELECT ${definitionColumns} FROM ${cf} INDEXED BY custom_fields_by_workspace WHERE ${isNotDeleted(caller)} ${page}`);
}

export function countDefinitions(caller: Caller): Statement<number> {
  return readNumber(
    sql`SELECT count(*) AS total FROM ${cf} INDEXED BY custom_fields_by_workspace WHERE ${isNotDeleted(caller)}`,
  );
}

export function listDefinitionsById(caller: Caller, ids: readonly number[]): Statement<FieldDefinition[]> {
  return readDefinitions(sql`
    SELECT ${definitionColumns} FROM ${cf} NOT INDEXED
    WHERE ${cf.id} IN ${buildInList(ids)} AND ${isNotDeleted(caller)} ORDER BY ${cf.id}`);
}

export function findDefinition(caller: Caller, id: number): Statement<FieldDefinition | null> {
  const found = listDefinitionsById(caller, [id]);
  return { ...found, read: (rows) => found.read(rows)[0] ?? null };
}

const projectFieldColumns = selectColumns({
  id: p.id,
  name: p.name,
  version: p.version,
  field_ids: p.field_ids,
});
export type ProjectFieldsRow = Row<typeof projectFieldColumns>;

export function listProjectsWithFields(caller: Caller): Statement<ProjectFieldsRow[]> {
  return readRows(sql`
    SELECT ${projectFieldColumns} FROM ${p} INDEXED BY projects_with_fields
    WHERE ${p.ws} = ${caller.workspace} AND ${p.field_ids} IS NOT NULL AND ${isProjectVisible(caller, p.id)}
    ORDER BY ${p.id}`);
}

export function findProjectFields(caller: Caller, project: number): Statement<ProjectFieldsRow | null> {
  return readFirstRow(sql`
    SELECT ${projectFieldColumns} FROM ${p}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${project} AND ${isProjectVisible(caller, p.id)}`);
}

export interface NamedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface FieldContext {
  readonly projects: ReadonlyMap<number, readonly FieldDefinition[]>;
  readonly people: readonly NamedPerson[];
  readonly allowsNames: boolean;
  readonly read: {
    fields: readonly FieldDefinition[];
    projects: readonly (readonly [number, string | null])[];
  };
}

interface FieldContextInput {
  projects: SQL;
  people: readonly string[];
  allowsNames: boolean;
}

const contextColumns = selectColumns({
  fields: withType<string>(sql`fields`),
  projects: withType<string>(sql`projects`),
  people: withType<string>(sql`people`),
});

export function findFieldContext(
  caller: Caller,
  { projects: ids, people, allowsNames }: FieldContextInput,
): Statement<FieldContext> {
  const named = allowsNames
    ? sql`(${am.user_id} IN ${buildInList(people)} OR ${am.name} COLLATE NOCASE IN ${buildInList(people)}
        OR ${am.email_key} IN ${buildInList(people.map((each) => each.toLowerCase()))})`
    : sql`${am.user_id} IN ${buildInList(people)}`;
  const row = readRow(sql`
    SELECT ${contextColumns} FROM (SELECT
      (SELECT json_group_array(json_object('id', d.id, 'name', d.name, 'type', d.type, 'options', json(d.options),
          'next_option', d.next_option, 'version', d.version)) FROM (
        SELECT ${definitionColumns} FROM ${cf} INDEXED BY custom_fields_by_workspace WHERE ${isNotDeleted(caller)}
        ORDER BY ${cf.id}) d) AS fields,
      (SELECT json_group_array(json_array(${p.id}, ${p.field_ids})) FROM ${p}
        WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN (${ids})) AS projects,
      (SELECT json_group_array(json_object('id', ${am.user_id}, 'name', ${am.name}, 'email', ${am.email})) FROM ${am}
        WHERE ${people.length} > 0 AND ${am.ws} = ${caller.workspace} AND ${named}) AS people)`);
  return {
    ...row,
    read: (found) => {
      const { fields, projects, people } = row.read(found);
      const definitions: FieldDefinition[] = JSON.parse(fields);
      const fieldIds: [number, string | null][] = JSON.parse(projects);
      const fieldsOf = fieldIds.map(([id, own]) => {
        const listed: number[] = JSON.parse(own ?? '[]');
        return [id, definitions.filter((field) => listed.includes(field.id))] as const;
      });
      return {
        projects: new Map(fieldsOf),
        people: JSON.parse(people),
        allowsNames,
        read: { fields: [...new Set(fieldsOf.flatMap(([, fields]) => fields))], projects: fieldIds },
      };
    },
  };
}

/** Doesn't check access, because the operation checks whether the caller can see the tasks. */
export function selectTaskProjects(caller: Caller, ids: readonly number[]): SQL {
  return sql`
    SELECT ${t.project} FROM ${t} NOT INDEXED WHERE ${t.id} IN ${buildInList(ids)} AND ${t.ws} = ${caller.workspace}`;
}

export function assertFieldsUnchanged(
  caller: Caller,
  context: Pick<FieldContext, 'read' | 'people'>,
): Statement<void> {
  const { fields, projects } = context.read;
  const versions = JSON.stringify(fields.map(({ id, version }) => [id, version]));
  const people = JSON.stringify(context.people.map(({ id }) => id));
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${versions}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${cf} NOT INDEXED WHERE ${cf.id} = d.value ->> 0 AND ${cf.version} = d.value ->> 1 AND ${isNotDeleted(caller)}))
    AND NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(projects)}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${p} WHERE ${p.id} = d.value ->> 0 AND ${p.ws} = ${caller.workspace}
        AND ${p.field_ids} IS d.value ->> 1))
    AND NOT EXISTS (SELECT 1 FROM json_each(${people}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${am} WHERE ${am.user_id} = d.value AND ${am.ws} = ${caller.workspace}))`);
}

const taskFieldColumns = selectColumns({ field_ids: p.field_ids, field_values: t.field_values });

/** Selects a JSON object that maps the user ids among the values to names. Includes people who have left. */
export function selectPersonNames({ workspace }: Caller, values: SQL): SQL<string> {
  return withType(sql`coalesce((
    SELECT json_group_object(${m.user_id}, ${m.name}) FROM json_each(${values}) v
    CROSS JOIN ${m} ON ${m.ws} = ${workspace} AND ${m.user_id} = v.value), '{}')`);
}

export function findTaskFields(
  caller: Caller,
  task: number,
): Statement<(Row<typeof taskFieldColumns> & { people: string }) | null> {
  const people = selectColumns({ people: selectPersonNames(caller, t.field_values) });
  return readFirstRow(sql`
    SELECT ${taskFieldColumns}, ${people} FROM ${t} CROSS JOIN ${p} ON ${p.id} = ${t.project}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`);
}

const deletedColumns = selectColumns({
  id: cf.id,
  name: cf.name,
  deleted_at: withType<number>(cf.deleted_at),
});
export type DeletedField = Row<typeof deletedColumns>;

export function listDeletedFields(caller: Caller, since: number): Statement<DeletedField[]> {
  return readRows(sql`
    SELECT ${deletedColumns} FROM ${cf} INDEXED BY custom_fields_deleted
    WHERE ${cf.deleted_at} > ${since} AND ${cf.ws} = ${caller.workspace}
    ORDER BY ${cf.deleted_at} DESC LIMIT ${FIELDS_MAX}`);
}

const restorableColumns = selectColumns({ id: cf.id, name: cf.name, type: cf.type, version: cf.version });

export function findDeletedField(
  caller: Caller,
  id: number,
  since: number,
): Statement<Row<typeof restorableColumns> | null> {
  return readFirstRow(sql`
    SELECT ${restorableColumns} FROM ${cf} NOT INDEXED
    WHERE ${cf.id} = ${id} AND ${cf.ws} = ${caller.workspace} AND ${cf.deleted_at} > ${since}`);
}

export const newestFieldId = sql`(SELECT max(${customFields.id}) FROM ${customFields})`;
export const newestFieldKey = sql`('cf_' || ${newestFieldId})`;

const idColumn = selectColumns({ id: cf.id });

/** Must run in the batch that inserts the field. The unary plus makes SQLite start from the table's newest row. */
export function findNewestField(caller: Caller): Statement<{ id: number }> {
  return readRow(sql`
    SELECT ${idColumn} FROM ${cf} WHERE +${cf.ws} = ${caller.workspace} ORDER BY ${cf.id} DESC LIMIT 1`);
}

export function insertField(
  caller: Caller,
  { name, type, options }: Pick<FieldDefinition, 'name' | 'type' | 'options'>,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(customFields, 'ws', 'name', 'type', 'options', 'next_option')}
    VALUES (${caller.workspace}, ${name}, ${type}, ${JSON.stringify(options)}, ${options.length + 1})`);
}

/** Must run after the insert, so that the new field is counted. */
export function assertFieldsMax(caller: Caller): Statement<void> {
  return rejectUnless(
    sql`(SELECT count(*) FROM ${cf} INDEXED BY custom_fields_by_workspace WHERE ${isNotDeleted(caller)}) <= ${FIELDS_MAX}`,
    invalidRequestError(`A workspace can have up to ${FIELDS_MAX} custom fields. Delete an unused one.`),
  );
}

export function assertFieldUnchanged(
  caller: Caller,
  { id, version }: Pick<FieldDefinition, 'id' | 'version'>,
): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${cf} NOT INDEXED
    WHERE ${cf.id} = ${id} AND ${cf.ws} = ${caller.workspace} AND ${cf.version} = ${version})`);
}

export function updateField(caller: Caller, field: FieldDefinition): Statement<void> {
  return write(sql`
    UPDATE ${customFields} SET ${customFields.name} = ${field.name},
      ${customFields.options} = ${JSON.stringify(field.options)}, ${customFields.next_option} = ${field.next_option},
      ${customFields.version} = ${customFields.version} + 1
    WHERE ${customFields.id} = ${field.id} AND ${customFields.ws} = ${caller.workspace}`);
}

export function setFieldDeleted(caller: Caller, id: number, deletedAt: number | null): Statement<void> {
  return write(sql`
    UPDATE ${customFields} SET ${customFields.deleted_at} = ${deletedAt}, ${customFields.version} = ${customFields.version} + 1
    WHERE ${customFields.id} = ${id} AND ${customFields.ws} = ${caller.workspace}`);
}

/** Doesn't increase the project's version, so that edits to the project itself don't conflict with this change. */
export function setProjectFieldIds(
  caller: Caller,
  project: number,
  fieldIds: readonly number[],
): Statement<void> {
  const stored = fieldIds.length === 0 ? null : JSON.stringify(fieldIds);
  return write(sql`
    UPDATE ${projects} SET ${projects.field_ids} = ${stored}
    WHERE ${projects.id} = ${project} AND ${projects.ws} = ${caller.workspace}`);
}

/** Must run in the batch that inserts the field. */
export function addNewestFieldToProject(
  caller: Caller,
  project: number,
  others: readonly number[],
): Statement<void> {
  return write(sql`
    UPDATE ${projects} SET ${projects.field_ids} = json_insert(${JSON.stringify(others)}, '$[#]', ${newestFieldId})
    WHERE ${projects.id} = ${project} AND ${projects.ws} = ${caller.workspace}`);
}

export function assertProjectFieldsUnchanged(
  caller: Caller,
  { id, field_ids }: Pick<ProjectFieldsRow, 'id' | 'field_ids'>,
): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${p} WHERE ${p.id} = ${id} AND ${p.ws} = ${caller.workspace} AND ${p.field_ids} IS ${field_ids})`);
}
