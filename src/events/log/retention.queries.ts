import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const e = aliasTable(events, 'e');
const n = aliasTable(events, 'n');
const w = aliasTable(workspaces, 'w');

const wsColumn = selectColumns({ ws: w.no });

/** A workspace's newest event never expires. */
export function listWorkspacesWithExpiredEvents(before: number, limit: number): Statement<{ ws: number }[]> {
  return readRows(sql`
    SELECT ${wsColumn} FROM ${w} CROSS JOIN ${e} ON ${e.ws} = ${w.no} AND ${e.seq} = ${w.events_from}
    WHERE ${e.occurred_at} < ${before} AND EXISTS (SELECT 1
      FROM ${n} WHERE ${n.ws} = ${w.no} AND ${n.seq} > ${w.events_from})
    LIMIT ${limit}`);
}

const eventsFromColumn = selectColumns({ events_from: workspaces.events_from });

/**
 * Keeps events that belong to a task's history, without their replaced values. The last statement returns the new start
 * of the feed.
 */
export function deleteExpiredEvents(ws: number, before: number, limit: number) {
  const from = sql`(SELECT ${w.events_from} FROM ${w} WHERE ${w.no} = ${ws})`;
  const upTo: SQL = sql`
    min((SELECT ${n.seq} FROM ${n} WHERE ${n.ws} = ${ws} ORDER BY ${n.seq} DESC LIMIT 1), coalesce((
      SELECT max(o.seq) + 1 FROM (
        SELECT ${e.seq} AS seq, ${e.occurred_at} AS occurred_at FROM ${e}
        WHERE ${e.ws} = ${ws} AND ${e.seq} >= ${from} ORDER BY ${e.seq} LIMIT ${limit}) o
      WHERE o.occurred_at < ${before}), ${from}))`;
  return [
    write(sql`DELETE FROM ${events} WHERE ${events.ws} = ${ws} AND ${events.seq} >= ${from}
      AND ${events.seq} < ${upTo} AND ${events.entries} = 0`),
    write(sql`UPDATE ${events} SET ${events.replaced} = NULL WHERE ${events.ws} = ${ws} AND ${events.seq} >= ${from}
      AND ${events.seq} < ${upTo} AND ${events.replaced} IS NOT NULL`),
    readRows(
      sql`UPDATE ${workspaces} SET ${workspaces.events_from} = ${upTo} WHERE ${workspaces.no} = ${ws}
        RETURNING ${eventsFromColumn}`,
    ),
  ] as const;
}
