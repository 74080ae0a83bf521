import { aliasTable, type SQL, sql, withType } from '../../kernel/sql/sql.ts';
import { longTexts } from '../../schema/cell/tasks.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';

/*
 * Long descriptions are stored in `long_texts` (docs/adr/0011). These expressions read that table only if a description
 * is long.
 */

const x = aliasTable(longTexts, 'x');

function selectText(t: TaskAlias, short: SQL, long: SQL): SQL {
  return sql`iif(${t.long_text} IS NULL, ${short},
    (SELECT ${long} FROM ${x} WHERE ${x.ws} = ${t.ws} AND ${x.id} = ${t.long_text}))`;
}

export function selectDescription(t: TaskAlias) {
  return withType<string | null>(selectText(t, t.description, x.description));
}

export function selectDescriptionKey(t: TaskAlias) {
  return withType<string>(selectText(t, t.description_key, x.description_key));
}

// SQLite knows the size of a column without reading its content.
const toByteLength = (text: SQL) => sql`octet_length(${text})`;

export function selectDescriptionBytes(t: TaskAlias) {
  return withType<number>(
    sql`coalesce(${selectText(t, toByteLength(t.description), toByteLength(x.description))}, 0)`,
  );
}

export function selectDescriptionKeyBytes(t: TaskAlias) {
  return withType<number>(selectText(t, toByteLength(t.description_key), toByteLength(x.description_key)));
}

export function selectShortDescription(t: TaskAlias, bytesMax: number) {
  const limitSize = (text: SQL) => sql`iif(${toByteLength(text)} <= ${bytesMax}, ${text}, NULL)`;
  return withType<string | null>(selectText(t, limitSize(t.description), limitSize(x.description)));
}
