import { type SQL, sql } from 'drizzle-orm';
import { bytesEach } from '../comment-contents/long-pages.ts';
import { firstRow, number, rows, write } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { projectVisibleTo } from '../visibility/project-visibility.queries.ts';
import { taskVisibleTo } from '../visibility/task-visibility.queries.ts';
import type { NotificationType } from './notifications.schema.ts';

// Keyed by the person alone: notifications have no workspace boundary (docs/contract.md#notifications).

/** Columns of a LEFT JOIN: all there or all null. */
type Joined<T> = T | { [Column in keyof T]: null };

export type NotificationRow = {
  id: number;
  type: NotificationType;
  readAt: number | null;
  createdAt: number;
  workspaceId: string;
  workspaceName: string;
} & Joined<{ taskId: number; taskName: string; taskStatus: number }> &
  /** A content is null where it is too long for the page (long-comments.ts). */
  Joined<{ commentId: number; commentBytes: number; commentContent: string | null }> &
  Joined<{ projectId: number; projectName: string }> &
  ({ actorId: string; actorName: string; actorImage: string | null } | { actorId: null });

/**
 * The chosen rows with summaries of what their reader `r` may see today. Somebody who left a workspace or lost a project
 * keeps the rows without summaries.
 * @param isShort which comments `c` come along
 */
function withSummaries(chosen: SQL, isShort = sql`true`): SQL {
  return sql`
    SELECT n.id AS id, n.type AS type, n.read_at AS readAt, n.created_at AS createdAt,
      t.id AS taskId, t.name AS taskName, t.status AS taskStatus,
      c.id AS commentId, c.bytes AS commentBytes, CASE WHEN ${isShort} THEN c.content END AS commentContent,
      p.id AS projectId, p.name AS projectName,
      a.user_id AS actorId, a.name AS actorName, a.image AS actorImage,
      w.id AS workspaceId, w.name AS workspaceName
    FROM (${chosen}) n
    LEFT JOIN workspaces w ON w.no = n.ws
    LEFT JOIN active_members r ON r.ws = n.ws AND r.user_id = n.user_id
    LEFT JOIN tasks t ON t.id = n.task AND t.ws = r.ws AND ${taskVisibleTo(sql`r`)}
    LEFT JOIN comments c ON c.id = n.comment AND c.task = t.id
    LEFT JOIN projects p ON p.id = n.project AND p.ws = r.ws AND ${projectVisibleTo(sql`r`, sql`p.id`)}
    LEFT JOIN members a ON a.no = n.actor AND a.ws = n.ws
    ORDER BY n.id DESC`;
}

const columns = sql`id, user_id, ws, type, task, comment, project, actor, read_at, created_at`;

/** Newest first. Read and unread rows are each in the order of the index, and SQLite merges the two. */
export function listNotifications(userId: string, range: Range, unreadOnly: boolean) {
  const those = (isRead: 0 | 1) => sql`
    SELECT ${columns} FROM notifications INDEXED BY notifications_by_user
    WHERE user_id = ${userId} AND is_read = ${sql.raw(String(isRead))}
    AND ${isAfter(range, [{ column: sql`id`, isDescending: true }])}`;
  const matching = unreadOnly ? those(0) : sql`${those(0)} UNION ALL ${those(1)}`;
  const isShort = sql`c.bytes <= ${bytesEach(range.limit + 1)}`;
  return rows<NotificationRow>(withSummaries(sql`${matching} ORDER BY id DESC ${limitOf(range)}`, isShort));
}

/** These notifications with their comments, however long. */
export function listWhole(userId: string, ids: readonly number[]) {
  return rows<NotificationRow>(
    withSummaries(sql`
      SELECT ${columns} FROM notifications
      WHERE user_id = ${userId} AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  );
}

export function getNotification(userId: string, id: number) {
  return firstRow<NotificationRow>(
    withSummaries(sql`SELECT ${columns} FROM notifications WHERE user_id = ${userId} AND id = ${id}`),
  );
}

export function countNotifications(userId: string, { unreadOnly }: { unreadOnly: boolean }) {
  const counted = unreadOnly ? sql`unread` : sql`total`;
  return number(sql`SELECT ${counted} AS counted FROM notification_counts WHERE user_id = ${userId}`);
}

/** Two statements that belong together, in this order: the second reads `changes()` of the first. */
export function markRead(userId: string, id: number, now: number) {
  return [
    write(
      sql`UPDATE notifications SET read_at = ${now} WHERE user_id = ${userId} AND id = ${id} AND read_at IS NULL`,
    ),
    write(
      sql`UPDATE notification_counts SET unread = unread - 1 WHERE user_id = ${userId} AND changes() = 1 AND unread > 0`,
    ),
  ] as const;
}

/** Run them in this order; the second answers how many were unread. */
export function markAllRead(userId: string, now: number) {
  return [
    write(sql`UPDATE notifications SET read_at = ${now} WHERE user_id = ${userId} AND is_read = 0`),
    number(sql`SELECT changes() AS updated`),
    write(sql`UPDATE notification_counts SET unread = 0 WHERE user_id = ${userId} AND unread > 0`),
  ] as const;
}

/**
 * Run them in this order: the counts read the row before it is deleted. The second answers null if there was none. The row
 * first belongs to nobody, because the newest row of all stays until another comes, so that no id is given twice.
 */
export function deleteNotification(userId: string, id: number) {
  const row = sql`notifications WHERE user_id = ${userId} AND id = ${id}`;
  return [
    write(sql`
      UPDATE notification_counts SET total = max(0, total - 1),
        unread = max(0, unread - (SELECT read_at IS NULL FROM ${row}))
      WHERE user_id = ${userId} AND EXISTS (SELECT 1 FROM ${row})`),
    firstRow<{ id: number }>(sql`
      UPDATE notifications SET user_id = '', ws = 0, task = NULL, project = NULL, comment = NULL, actor = NULL,
        read_at = coalesce(read_at, created_at)
      WHERE user_id = ${userId} AND id = ${id} RETURNING id`),
    write(sql`DELETE FROM notifications WHERE user_id = '' AND id < (SELECT max(id) FROM notifications)`),
  ] as const;
}
