import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { members } from '../../schema/cell/workspaces.ts';

const cf = aliasTable(customFields, 'cf');
const fm = aliasTable(members, 'fm');

const TEXT_CHARACTERS_MAX = 500;

/**
 * Selects text such as `Effort: Small, Approved: Yes` for a JSON object of values, or null if there are no values.
 * Leaves out deleted fields.
 */
export function selectFieldTexts({ workspace }: Caller, values: SQL): SQL {
  const isOption = sql`o.value ->> 'id' IN (SELECT c.value FROM json_each(json_array(v.value)) c
    UNION SELECT c.value FROM json_each(iif(v.type = 'array', v.value, '[]')) c)`;
  const text = sql`CASE ${cf.type}
    WHEN 'checkbox' THEN iif(v.value, 'Yes', 'No')
    WHEN 'person' THEN coalesce((SELECT ${fm.name} FROM ${fm} WHERE ${fm.ws} = ${workspace} AND ${fm.user_id} = v.value), 'Former member')
    WHEN 'select' THEN (SELECT o.value ->> 'name' FROM json_each(${cf.options}) o WHERE ${isOption})
    WHEN 'multi_select' THEN (SELECT group_concat(o.value ->> 'name', ', ') FROM json_each(${cf.options}) o WHERE ${isOption})
    ELSE v.value END`;
  return sql`(SELECT substr(group_concat(${cf.name} || ': ' || ${text}, ', '), 1, ${TEXT_CHARACTERS_MAX})
    FROM json_each(${values}) v CROSS JOIN ${cf} NOT INDEXED ON ${cf.id} = CAST(substr(v.key, 4) AS INTEGER)
    WHERE ${cf.ws} = ${workspace} AND ${cf.deleted_at} IS NULL)`;
}
