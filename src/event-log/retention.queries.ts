import { type SQL, sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';

/** Workspaces whose oldest told event is older than `before`; the newest of each is told as long as there is no newer one. */
export function listLateFeeds(before: number, limit: number): Statement<{ ws: number }[]> {
  return rows<{ ws: number }>(sql`
    SELECT w.no AS ws FROM workspaces w CROSS JOIN events e ON e.ws = w.no AND e.seq = w.events_from
    WHERE e.occurred_at < ${before} AND EXISTS (SELECT 1 FROM events n WHERE n.ws = w.no AND n.seq > w.events_from)
    LIMIT ${limit}`);
}

/**
 * Moves the beginning of a feed over at most `limit` events that are older than `before`, and deletes those of them that
 * no task tells in its history. The second answers where the feed began and begins.
 */
export function shortenFeed(ws: number, before: number, limit: number) {
  const from = sql`(SELECT w.events_from FROM workspaces w WHERE w.no = ${ws})`;
  const upTo: SQL = sql`
    min((SELECT n.seq FROM events n WHERE n.ws = ${ws} ORDER BY n.seq DESC LIMIT 1), coalesce((
      SELECT max(o.seq) + 1 FROM (
        SELECT e.seq AS seq, e.occurred_at AS occurred_at FROM events e
        WHERE e.ws = ${ws} AND e.seq >= ${from} ORDER BY e.seq LIMIT ${limit}) o
      WHERE o.occurred_at < ${before}), ${from}))`;
  return [
    write(sql`DELETE FROM events WHERE ws = ${ws} AND seq >= ${from} AND seq < ${upTo} AND entries = 0`),
    rows<{ events_from: number }>(
      sql`UPDATE workspaces SET events_from = ${upTo} WHERE no = ${ws} RETURNING events_from`,
    ),
  ] as const;
}
