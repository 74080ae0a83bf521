import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { checklists } from '../../schema/cell/checklists.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { projects } from '../../schema/cell/projects.ts';
import { detailTexts, waitingDetails } from '../../schema/cell/search.ts';
import type { TaskAlias } from '../../tasks/visibility/task-visibility.queries.ts';

const cf = aliasTable(customFields, 'cf');
const d = aliasTable(detailTexts, 'd');
const k = aliasTable(checklists, 'k');
const p = aliasTable(projects, 'p');
const w = aliasTable(waitingDetails, 'w');

/** The key under which `detail_texts.texts` stores the checklist and the tags. */
export const COMMON_TEXT_KEY = '0';
const commonKey = sql.raw(`'${COMMON_TEXT_KEY}'`);

export function hasDetailTexts(t: TaskAlias): SQL {
  return sql`(${t.label_keys} <> '[]' OR ${t.field_values} IS NOT NULL OR ${t.checklist_total} > 0)`;
}

/**
 * Must be in the same batch as changes to the tasks' details. The tasks are indexed later. `selects` are SELECTs of
 * task ids.
 */
export function queueDetails(ws: number, ...selects: readonly SQL[]): Statement<void> {
  return write(sql`
    INSERT OR IGNORE INTO ${nameInsertColumns(waitingDetails, 'ws', 'task')}
    SELECT CAST(${ws} AS INTEGER), n.id FROM (${sql.join([...selects], sql` UNION ALL `)}) n`);
}

/** False for deleted fields and for fields that the project doesn't use, because their values are hidden. */
function isFieldShown(t: TaskAlias): SQL {
  return sql`${cf.ws} = ${t.ws} AND ${cf.deleted_at} IS NULL AND instr(replace(replace((
    SELECT ${p.field_ids} FROM ${p} WHERE ${p.id} = ${t.project}), '[', ','), ']', ','), ',' || ${cf.id} || ',') > 0`;
}

/** Only for tasks whose details are indexed. `pattern` is the folded search text. */
export function detailsContain(t: TaskAlias, pattern: string): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${d} CROSS JOIN json_each(${d.texts}) x
    WHERE ${d.task} = ${t.id} AND ${d.ws} = ${t.ws} AND instr(x.value, ${pattern}) > 0 AND (x.key = ${commonKey} OR EXISTS (
      SELECT 1 FROM ${cf} NOT INDEXED WHERE ${cf.id} = CAST(x.key AS INTEGER) AND ${isFieldShown(t)})))
    AND NOT EXISTS (SELECT 1 FROM ${w} WHERE ${w.ws} = ${t.ws} AND ${w.task} = ${t.id})`;
}

/** Only for tasks that are waiting to be indexed. Ignores case only for ASCII letters. */
export function waitingDetailsContain(t: TaskAlias, pattern: string): SQL {
  const contains = (text: SQL) => sql`instr(lower(${text}), ${pattern}) > 0`;
  return sql`(
    EXISTS (SELECT 1 FROM json_each(${t.tags}) x WHERE ${contains(sql`x.value`)})
    OR EXISTS (SELECT 1 FROM ${k} CROSS JOIN json_each(${k.lines}) x
      WHERE ${k.task} = ${t.id} AND ${k.ws} = ${t.ws} AND ${contains(sql`(x.value ->> 'text')`)})
    OR EXISTS (SELECT 1 FROM json_each(${t.field_values}) x
      CROSS JOIN ${cf} NOT INDEXED ON ${cf.id} = CAST(substr(x.key, 4) AS INTEGER)
      WHERE ${cf.type} = 'text' AND ${contains(sql`x.value`)} AND ${isFieldShown(t)}))`;
}
