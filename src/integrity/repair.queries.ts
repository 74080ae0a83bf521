import { sql } from 'drizzle-orm';
import { rows, type Statement } from '../kernel/database.ts';

/*
 * Repairs counters that belong to no project. Each statement answers the keys that were wrong and writes only those.
 */

export function mendNotificationCounts(): Statement<{ key: string }[]>[] {
  return [
    rows(sql`
      INSERT INTO notification_counts (user_id, total, unread)
      SELECT user_id, count(*), sum(read_at IS NULL) FROM notifications WHERE user_id <> '' GROUP BY user_id
      ON CONFLICT (user_id) DO UPDATE SET total = excluded.total, unread = excluded.unread
      WHERE total <> excluded.total OR unread <> excluded.unread
      RETURNING user_id AS key`),
    rows(sql`
      UPDATE notification_counts SET total = 0, unread = 0 WHERE (total <> 0 OR unread <> 0)
      AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.user_id = notification_counts.user_id)
      RETURNING user_id AS key`),
  ];
}

export function mendStorage(): Statement<{ key: string }[]>[] {
  const used = sql`coalesce((SELECT sum(a.file_size) FROM attachments a WHERE a.ws = w.no), 0)`;
  const reserved = sql`coalesce((SELECT sum(u.reserved) FROM uploads u WHERE u.ws = w.no), 0)`;
  return [
    rows(sql`
      INSERT INTO storage (ws, used, reserved) SELECT w.no, ${used}, ${reserved} FROM workspaces w
      WHERE ${used} > 0 OR ${reserved} > 0 OR EXISTS (SELECT 1 FROM storage s WHERE s.ws = w.no)
      ON CONFLICT (ws) DO UPDATE SET used = excluded.used, reserved = excluded.reserved
      WHERE used <> excluded.used OR reserved <> excluded.reserved
      RETURNING CAST(ws AS TEXT) AS key`),
  ];
}

/** Deletes counters whose project or member does not exist in their workspace. */
export function dropStrayCounters(): Statement<{ key: string }[]>[] {
  return [
    ...['task_counts', 'member_days'].map((table) =>
      rows<{ key: string }>(sql`
      DELETE FROM ${sql.raw(table)} AS c WHERE
        (c.project > 0 AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = c.project AND p.ws = c.ws))
        OR (c.member > 0 AND NOT EXISTS (SELECT 1 FROM members m WHERE m.no = c.member AND m.ws = c.ws))
      RETURNING ${`${table} of project `} || project || ', member ' || member AS key`),
    ),
    rows(sql`
      DELETE FROM comment_counts WHERE NOT EXISTS (
          SELECT 1 FROM projects p WHERE p.id = comment_counts.project AND p.ws = comment_counts.ws)
        AND NOT (comment_counts.project = 0
          AND EXISTS (SELECT 1 FROM members m WHERE m.no = comment_counts.member AND m.ws = comment_counts.ws))
        OR comment_counts.member > 0
          AND NOT EXISTS (SELECT 1 FROM members m WHERE m.no = comment_counts.member AND m.ws = comment_counts.ws)
      RETURNING 'comment_counts of project ' || project AS key`),
    rows(sql`
      DELETE FROM due_days WHERE NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = due_days.project)
      RETURNING 'due_days of project ' || project AS key`),
  ];
}
