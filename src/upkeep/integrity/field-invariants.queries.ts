import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const cf = aliasTable(customFields, 'cf');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

export const fieldInvariants: readonly Invariant[] = [
  {
    name: 'every custom field value belongs to a field of its workspace, and matches its type',
    offenders: createOffenderQuery(sql`
      SELECT 'task ' || ${t.id} || ' has an unknown or wrong value of ' || v.key AS offender
      FROM ${t} INDEXED BY tasks_with_field_values CROSS JOIN json_each(${t.field_values}) v
      WHERE ${t.field_values} IS NOT NULL AND ${t.ws} > 0 AND NOT EXISTS (
        SELECT 1 FROM ${cf} NOT INDEXED WHERE ${cf.id} = CAST(substr(v.key, 4) AS INTEGER) AND ${cf.ws} = ${t.ws}
          AND v.key = 'cf_' || ${cf.id} AND CASE ${cf.type}
            WHEN 'number' THEN v.type IN ('integer', 'real') WHEN 'select' THEN v.type = 'integer'
            WHEN 'multi_select' THEN v.type = 'array' AND json_array_length(v.value) > 0
            WHEN 'checkbox' THEN v.type IN ('true', 'false') ELSE v.type = 'text' END)`),
  },
  {
    name: 'projects use at most 20 custom fields, all from their workspace',
    offenders: createOffenderQuery(sql`
      SELECT 'project ' || ${p.id} || ' uses an unknown field, or too many fields' AS offender
      FROM ${p} INDEXED BY projects_with_fields
      WHERE ${p.field_ids} IS NOT NULL AND ${p.ws} > 0 AND (json_array_length(${p.field_ids}) NOT BETWEEN 1 AND 20
        OR EXISTS (SELECT 1 FROM json_each(${p.field_ids}) j WHERE NOT EXISTS (
          SELECT 1 FROM ${cf} NOT INDEXED WHERE ${cf.id} = j.value AND ${cf.ws} = ${p.ws})))`),
  },
];
