import { sql } from 'drizzle-orm';
import { firstRow, number, rows, type Statement, write } from '../kernel/database.ts';
import { endBelongings } from '../workspaces/memberships.queries.ts';

/** Takes everybody out of a workspace, in one batch: nobody sees it any more, and no credential of it works. */
export function closeWorkspace(ws: number, now: number): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO workspace_deletions (ws, created_at) VALUES (${ws}, ${now}) ON CONFLICT DO NOTHING`),
    write(sql`UPDATE invitations SET ended_at = ${now} WHERE ws = ${ws} AND ended_at IS NULL`),
    write(sql`UPDATE members SET ended_at = ${now} WHERE ws = ${ws} AND ended_at IS NULL`),
    ...endBelongings(now),
  ];
}

export function listClosed(limit: number): Statement<{ ws: number }[]> {
  return rows<{ ws: number }>(
    sql`SELECT d.ws AS ws FROM workspace_deletions d ORDER BY d.created_at LIMIT ${limit}`,
  );
}

export function findNextProject(ws: number): Statement<{ id: number } | null> {
  return firstRow<{ id: number }>(sql`
    SELECT p.id AS id FROM projects p INDEXED BY projects_by_workspace WHERE p.ws = ${ws} LIMIT 1`);
}

/** How many of the deleted projects still have tasks. */
export function countHidden(ws: number): Statement<number> {
  return number(sql`SELECT count(*) AS n FROM project_deletions d WHERE d.ws = ${ws}`);
}

const EVENTS_A_SLICE = 1_000;

/** Deletes a slice of the events; the newest stays, as its number is never given again. Answers how many went. */
export function deleteEvents(ws: number): Statement<{ seq: number }[]> {
  return rows<{ seq: number }>(sql`
    DELETE FROM events WHERE ws = ${ws} AND seq IN (
      SELECT e.seq FROM events e WHERE e.ws = ${ws}
      AND e.seq < (SELECT max(n.seq) FROM events n WHERE n.ws = ${ws}) ORDER BY e.seq LIMIT ${EVENTS_A_SLICE})
    RETURNING seq`);
}

/** The feed begins with the oldest event that is left. */
export function moveFeed(ws: number): Statement<void> {
  return write(sql`
    UPDATE workspaces SET events_from = coalesce((SELECT min(e.seq) FROM events e WHERE e.ws = ${ws}), events_from)
    WHERE no = ${ws}`);
}

/** What is left without projects, tasks and events: few rows. The numbers of members and of the workspace stay taken. */
export function clearWorkspace(ws: number): Statement<void>[] {
  const categories = sql`(SELECT c.id FROM task_categories c WHERE c.ws = ${ws})`;
  const teams = sql`(SELECT t.id FROM teams t WHERE t.ws = ${ws})`;
  return [
    write(sql`DELETE FROM team_members WHERE team IN ${teams}`),
    ...clear(ws, ['teams']),
    write(sql`DELETE FROM hour_changes WHERE category IN ${categories}`),
    ...clear(ws, ['task_types', 'task_categories', 'task_counts', 'member_days', 'comment_counts']),
    write(sql`
      DELETE FROM webhook_deliveries WHERE webhook IN (SELECT h.id FROM webhooks h WHERE h.ws = ${ws})`),
    ...clear(ws, ['webhooks']),
    ...clear(ws, ['invitations', 'departures', 'forgotten_members', 'credentials']),
    write(sql`UPDATE events SET changes = '{}' WHERE ws = ${ws}`),
    write(sql`
      UPDATE members SET name = 'Former member', email = user_id || '@deleted.invalid',
        email_key = lower(user_id) || '@deleted.invalid', image = NULL
      WHERE ws = ${ws}`),
    write(sql`UPDATE workspaces SET name = 'Deleted workspace' WHERE no = ${ws}`),
    write(sql`DELETE FROM workspace_deletions WHERE ws = ${ws}`),
  ];
}

function clear(ws: number, tables: readonly string[]): Statement<void>[] {
  return tables.map((table) => write(sql`DELETE FROM ${sql.raw(table)} WHERE ws = ${ws}`));
}
