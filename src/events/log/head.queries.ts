import { firstRow, number, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, type SQL, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';

const e = names(events, 'e');

/** Returns the `seq` of the newest event, or 0 if the workspace has no events. */
export function findHead(ws: number): Statement<number> {
  return number(selectHead(ws));
}

export function selectHead(ws: number): SQL {
  return sql`SELECT coalesce(max(${e.seq}), 0) AS head FROM ${e} WHERE ${e.ws} = ${ws}`;
}

const newestColumns = columns({ seq: e.seq, occurred_at: e.occurred_at });
type NewestEvent = Row<typeof newestColumns>;

export function findNewestEvent(ws: number): Statement<NewestEvent | null> {
  return firstRow(
    sql`SELECT ${newestColumns} FROM ${e} WHERE ${e.ws} = ${ws} ORDER BY ${e.seq} DESC LIMIT 1`,
  );
}
