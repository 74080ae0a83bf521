import { number, type Statement } from '../kernel/database.ts';
import { names, sql } from '../kernel/sql.ts';
import { events } from './events.sql.ts';

const e = names(events, 'e');

/** The number of the newest event of a workspace, 0 where nothing happened yet. */
export function findHead(ws: number): Statement<number> {
  return number(sql`SELECT ${e.seq} AS seq FROM ${e} WHERE ${e.ws} = ${ws} ORDER BY ${e.seq} DESC LIMIT 1`);
}
