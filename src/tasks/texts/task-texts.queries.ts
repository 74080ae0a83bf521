import { names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { longTexts } from '../../schema/cell/tasks.ts';
import type { TaskNames } from '../visibility/task-visibility.queries.ts';

/*
 * A description is stored in the row of its task or, if it is long, in a row of `long_texts` (docs/adr/0011). Read
 * descriptions with these expressions. They read no other row for a short one.
 */

const x = names(longTexts, 'x');

/** The text of the row or, if the task has a long one, of `long_texts`. */
function textOf(t: TaskNames, short: SQL, long: SQL): SQL {
  return sql`iif(${t.long_text} IS NULL, ${short},
    (SELECT ${long} FROM ${x} WHERE ${x.ws} = ${t.ws} AND ${x.id} = ${t.long_text}))`;
}

export function descriptionOfTask(t: TaskNames) {
  return typed<string | null>(textOf(t, t.description, x.description));
}

export function descriptionKeyOfTask(t: TaskNames) {
  return typed<string>(textOf(t, t.description_key, x.description_key));
}

// SQLite knows the length of a column without reading it.
const size = (text: SQL) => sql`octet_length(${text})`;

export function descriptionBytes(t: TaskNames) {
  return typed<number>(sql`coalesce(${textOf(t, size(t.description), size(x.description))}, 0)`);
}

export function descriptionKeyBytes(t: TaskNames) {
  return typed<number>(textOf(t, size(t.description_key), size(x.description_key)));
}

/** The description, or null if it is longer. */
export function descriptionWithin(t: TaskNames, bytesMax: number) {
  const within = (text: SQL) => sql`iif(${size(text)} <= ${bytesMax}, ${text}, NULL)`;
  return typed<string | null>(textOf(t, within(t.description), within(x.description)));
}
