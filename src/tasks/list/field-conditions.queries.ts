import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';

const fp = aliasTable(projects, 'fp');

/** A custom field's value: an option, a person, or whether a box is checked. */
export interface FieldFilter {
  readonly id: number;
  readonly value: number | string | boolean;
}

/** Matches only tasks whose project uses the fields, because the values of unused fields are hidden. */
export function hasFieldValues(t: TaskAlias, fields: readonly FieldFilter[]): SQL {
  const conditions = fields.map((field) => hasFieldValue(t, field));
  const isUsed = sql`(SELECT ${usesFields(fields)} FROM ${fp} WHERE ${fp.id} = ${t.project})`;
  return sql`${sql.join(conditions, sql` AND `)} AND ${isUsed}`;
}

/** Derives the field's type from the type of `value`. The same batch checks that the field has this type. */
function hasFieldValue(t: TaskAlias, { id, value }: FieldFilter): SQL {
  const path = sql.raw(`'$.cf_${id}'`);
  if (typeof value === 'boolean') return sql`${t.field_values} -> ${path} = ${value ? 'true' : 'false'}`;
  const held = sql`${t.field_values} ->> ${path}`;
  if (typeof value === 'string') return sql`${held} = ${value}`;
  const options = sql`replace(replace(${held}, '[', ','), ']', ',')`;
  return sql`(${held} = ${value} OR instr(${options}, ${`,${value},`}) > 0)`;
}

/** Searches the list as text, because SQLite counts each item of a JSON list as a row read. */
function usesFields(fields: readonly FieldFilter[]): SQL {
  const ids = sql`replace(replace(${fp.field_ids}, '[', ','), ']', ',')`;
  return sql.join(
    fields.map(({ id }) => sql`instr(${ids}, ${`,${id},`}) > 0`),
    sql` AND `,
  );
}

export function selectProjectsWithFields({ workspace }: Caller, fields: readonly FieldFilter[]): SQL {
  return sql`
    SELECT ${fp.id} AS no FROM ${fp} INDEXED BY projects_with_fields
    WHERE ${fp.ws} = ${workspace} AND ${fp.field_ids} IS NOT NULL AND ${usesFields(fields)}`;
}
