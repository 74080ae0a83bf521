import { readNumber, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';

const e = aliasTable(events, 'e');

export function findNewestSeq(ws: number): Statement<number> {
  return readNumber(selectNewestSeq(ws));
}

export function selectNewestSeq(ws: number): SQL {
  return sql`SELECT coalesce(max(${e.seq}), 0) AS head FROM ${e} WHERE ${e.ws} = ${ws}`;
}
