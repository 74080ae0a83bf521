import { names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { longTexts, tasks } from '../../schema/cell/tasks.ts';

/*
 * A description is in the row of its task `t` or, if it is long, in a row of `long_texts` (docs/adr/0011). Whatever reads
 * descriptions uses these expressions. They read no other row for a short one.
 */

const t = names(tasks, 't');
const x = names(longTexts, 'x');

const isInline = sql`${t.long_text} IS NULL`;

function longText(selected: SQL): SQL {
  return sql`(SELECT ${selected} FROM ${x} WHERE ${x.ws} = ${t.ws} AND ${x.id} = ${t.long_text})`;
}

export const descriptionOfTask = typed<string | null>(
  sql`iif(${isInline}, ${t.description}, ${longText(x.description)})`,
);

/** The folded text of the description. */
export const descriptionKeyOfTask = typed<string>(
  sql`iif(${isInline}, ${t.description_key}, ${longText(x.description_key)})`,
);

// SQLite knows the length of a column without reading it.
const size = (text: SQL) => sql`octet_length(${text})`;

export const descriptionBytes = typed<number>(
  sql`coalesce(iif(${isInline}, ${size(t.description)}, ${longText(size(x.description))}), 0)`,
);

export const descriptionKeyBytes = typed<number>(
  sql`iif(${isInline}, ${size(t.description_key)}, ${longText(size(x.description_key))})`,
);

/** The description, or null if it is longer. */
export const descriptionWithin = (bytesMax: number) => {
  const within = (text: SQL) => sql`iif(${size(text)} <= ${bytesMax}, ${text}, NULL)`;
  return typed<string | null>(
    sql`iif(${isInline}, ${within(t.description)}, ${longText(within(x.description))})`,
  );
};
