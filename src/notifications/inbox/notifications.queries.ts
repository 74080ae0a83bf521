// This file is long because the statements that list, count and change notifications share their columns and filters.
import { and, eq, gt, isNull } from 'drizzle-orm';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  joinColumnNames,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { notificationCounts, notifications, OPT_IN_CONDITION } from '../../schema/cell/notifications.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { getInlineBytesMax } from '../../tasks/comment-contents/long-contents.ts';
import { buildMentionedPeopleColumn } from '../../tasks/mentions/mentioned-people.queries.ts';
import { isProjectVisibleTo } from '../../tasks/visibility/project-visibility.queries.ts';
import { isTaskVisibleTo } from '../../tasks/visibility/task-visibility.queries.ts';
import { type NotificationKinds, optInTypes } from './notifications.schema.ts';

const n = aliasTable(notifications, 'n');
const excluded = aliasTable(notifications, 'excluded');
const a = aliasLeftJoinedTable(members, 'a');
const c = aliasLeftJoinedTable(comments, 'c');
const p = aliasLeftJoinedTable(projects, 'p');
const r = aliasLeftJoinedTable(activeMembers, 'r');
const t = aliasLeftJoinedTable(tasks, 't');
const w = aliasTable(workspaces, 'w');

// Statements here have no workspace predicate, because a person's notifications span workspaces
// (docs/contract.md#notifications).

const notificationColumns = selectColumns({
  id: n.id,
  type: n.type,
  read_at: n.read_at,
  created_at: n.created_at,
  task_id: t.id,
  task_name: t.name,
  task_status: t.status,
  task_due: t.due,
  task_due_time: t.due_time,
  comment_id: c.id,
  comment_bytes: c.bytes,
  project_id: p.id,
  project_name: p.name,
  actor_id: a.user_id,
  actor_name: a.name,
  actor_image: a.image,
  workspace_id: w.id,
  workspace_name: w.name,
});
export type NotificationRow = Row<typeof notificationColumns> & {
  /** Null if the comment is too long for a list page (long-comments.ts). */
  comment_content: string | null;
};

const selectContentIf = (isShort: SQL) =>
  withType<string | null>(sql`CASE WHEN ${isShort} THEN ${c.content} END`);

/**
 * Adds the task, comment and project only if the recipient `r` can see them now. Adds none of them for former members.
 */
function selectNotificationsWithSummaries(chosen: SQL, isShort = sql`true`, condition = sql`true`) {
  return sql`
    SELECT ${notificationColumns}, ${selectColumns({ comment_content: selectContentIf(isShort) })}
    FROM (${chosen}) n
    LEFT JOIN ${w} ON ${w.no} = ${n.ws}
    LEFT JOIN ${r} ON ${r.ws} = ${n.ws} AND ${r.user_id} = ${n.user_id}
    LEFT JOIN ${t} ON ${t.id} = ${n.task} AND ${t.ws} = ${r.ws} AND ${isTaskVisibleTo(t, r)}
    LEFT JOIN ${c} ON ${c.id} = ${n.comment} AND ${c.task} = ${t.id}
    LEFT JOIN ${p} ON ${p.id} = ${n.project} AND ${p.ws} = ${r.ws} AND ${isProjectVisibleTo(r, p.id)}
    LEFT JOIN ${a} ON ${a.no} = ${n.actor} AND ${a.ws} = ${n.ws}
    WHERE ${condition} ORDER BY ${n.id} DESC`;
}

const storedColumns = joinColumnNames(
  notifications,
  'id',
  'user_id',
  'ws',
  'type',
  'task',
  'comment',
  'project',
  'actor',
  'read_at',
  'created_at',
);

interface NotificationFilter {
  unreadOnly: boolean;
  kinds?: NotificationKinds;
}

const isOptIn = sql.raw(OPT_IN_CONDITION);

function buildKindFilter(kinds: NotificationKinds): { index: SQL; condition: SQL } {
  const byUser = sql`notifications_by_user`;
  if (kinds === undefined) return { index: byUser, condition: sql`NOT (${isOptIn})` };
  if (kinds.includes('all')) return { index: byUser, condition: sql`true` };
  const isNamed = sql`${notifications.type} IN ${buildInList(kinds)}`;
  const areOptIn = kinds.every((kind) => kind !== 'all' && optInTypes.includes(kind));
  if (!areOptIn) return { index: byUser, condition: isNamed };
  // SQLite uses the partial index only if the statement repeats its condition.
  return { index: sql`notifications_opt_in`, condition: sql`${isOptIn} AND ${isNamed}` };
}

export function listNotifications(userId: string, range: PageRange, filter: NotificationFilter) {
  const isShort = sql`${c.bytes} <= ${getInlineBytesMax(range.limit + 1)}`;
  return readRows(selectNotificationsWithSummaries(selectNotifications(userId, range, filter), isShort));
}

/** Newest first. The index sorts read and unread rows separately, and SQLite merges them. */
function selectNotifications(
  userId: string,
  range: PageRange,
  { unreadOnly, kinds }: NotificationFilter,
): SQL {
  const { index, condition } = buildKindFilter(kinds);
  const selectRows = (isRead: 0 | 1) => sql`
    SELECT ${storedColumns} FROM ${notifications} INDEXED BY ${index}
    WHERE ${notifications.user_id} = ${userId} AND ${notifications.is_read} = ${sql.raw(String(isRead))}
    AND ${condition} AND ${isAfter(range, [{ column: sql`${notifications.id}`, isDescending: true }])}`;
  const matching = unreadOnly ? selectRows(0) : sql`${selectRows(0)} UNION ALL ${selectRows(1)}`;
  return sql`${matching} ORDER BY id DESC ${buildLimit(range)}`;
}

const mentionColumns = selectColumns({ id: withType<number>(c.id), bytes: withType<number>(c.bytes) });

export function listMentioningComments(userId: string, range: PageRange, filter: NotificationFilter) {
  const isShort = sql`${c.bytes} <= ${getInlineBytesMax(range.limit + 1)}`;
  return readRows(sql`
    SELECT ${mentionColumns}, ${buildMentionedPeopleColumn(c.ws, c.content, isShort)}
    FROM (${selectNotifications(userId, range, filter)}) n
    CROSS JOIN ${r} ON ${r.ws} = ${n.ws} AND ${r.user_id} = ${n.user_id}
    CROSS JOIN ${t} ON ${t.id} = ${n.task} AND ${t.ws} = ${r.ws} AND ${isTaskVisibleTo(t, r)}
    CROSS JOIN ${c} ON ${c.id} = ${n.comment} AND ${c.task} = ${t.id}`);
}

/** Omits notifications of former members, and those about a task or project that the recipient can't see now. */
export function listVisibleNotifications(chosen: SQL) {
  const isVisible = sql`${r.user_id} IS NOT NULL AND (${n.task} IS NULL OR ${t.id} IS NOT NULL)
    AND (${n.task} IS NOT NULL OR ${n.project} IS NULL OR ${p.id} IS NOT NULL)`;
  return readRows(selectNotificationsWithSummaries(chosen, sql`true`, isVisible));
}

export function listNotificationsWithFullComments(userId: string, ids: readonly number[]) {
  return readRows(
    selectNotificationsWithSummaries(sql`
      SELECT ${storedColumns} FROM ${notifications}
      WHERE ${notifications.user_id} = ${userId}
        AND ${notifications.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  );
}

export function getNotification(userId: string, id: number) {
  return readFirstRow(
    selectNotificationsWithSummaries(sql`SELECT ${storedColumns} FROM ${notifications} WHERE ${notifications.user_id} = ${userId}
      AND ${notifications.id} = ${id}`),
  );
}

export function countNotifications(userId: string, { unreadOnly, kinds }: NotificationFilter) {
  const counted = unreadOnly ? notificationCounts.unread : notificationCounts.total;
  const stored = sql`SELECT ${counted} AS counted
    FROM ${notificationCounts} WHERE ${notificationCounts.user_id} = ${userId}`;
  if (kinds === undefined) return readNumber(stored);
  const isAll = kinds.includes('all');
  const { index, condition } = buildKindFilter(isAll ? [...optInTypes] : kinds);
  const rows = sql`SELECT count(*) AS counted FROM ${notifications} INDEXED BY ${index}
    WHERE ${notifications.user_id} = ${userId} AND ${condition}
      ${unreadOnly ? sql`AND ${notifications.is_read} = 0` : sql``}`;
  return readNumber(isAll ? sql`SELECT coalesce((${stored}), 0) + (${rows}) AS counted` : rows);
}

const ROWS_COUNTED_MAX = 500;

/** Counts notifications of all types. If `isAll` is false, there are more than were counted. */
export function countInboxNotifications(
  userId: string,
  { unreadOnly }: NotificationFilter,
): Statement<InboxCount> {
  const counted = unreadOnly ? notificationCounts.unread : notificationCounts.total;
  const { index, condition } = buildKindFilter([...optInTypes]);
  const columns = selectColumns({
    stored: withType<number>(sql`coalesce((SELECT ${counted} FROM ${notificationCounts}
      WHERE ${notificationCounts.user_id} = ${userId}), 0)`),
    rows: withType<number>(sql`(SELECT count(*) FROM (SELECT 1 FROM ${notifications} INDEXED BY ${index}
      WHERE ${notifications.user_id} = ${userId} AND ${condition}
        ${unreadOnly ? sql`AND ${notifications.is_read} = 0` : sql``} LIMIT ${ROWS_COUNTED_MAX + 1}))`),
  });
  const row = readRow(sql`SELECT ${columns}`);
  return {
    ...row,
    read: (found) => {
      const { stored, rows } = row.read(found);
      return { count: stored + Math.min(rows, ROWS_COUNTED_MAX), isAll: rows <= ROWS_COUNTED_MAX };
    },
  };
}

interface InboxCount {
  count: number;
  isAll: boolean;
}

const markOneRowRead = prepared.write(
  (userId: Argument<string>, id: Argument<number>, now: Argument<number>) =>
    query
      .update(notifications)
      .set({ read_at: now })
      .where(and(eq(notifications.user_id, userId), eq(notifications.id, id), isNull(notifications.read_at))),
);

const decrementUnread = prepared.write((userId: Argument<string>, id: Argument<number>) =>
  query
    .update(notificationCounts)
    .set({ unread: sql`${notificationCounts.unread} - 1` })
    .where(
      and(
        eq(notificationCounts.user_id, userId),
        sql`changes() = 1`,
        gt(notificationCounts.unread, 0),
        sql`(SELECT NOT (${isOptIn}) FROM ${notifications} WHERE ${notifications.id} = ${id})`,
      ),
    ),
);

/** The order matters: the second statement reads `changes()` of the first. */
export function markRead(userId: string, id: number, now: number) {
  return [markOneRowRead(userId, id, now), decrementUnread(userId, id)] as const;
}

/**
 * The order matters: the second statement reads `changes()` of the first, the number of notifications that were unread.
 */
export function markAllRead(userId: string, now: number, kinds: NotificationKinds) {
  const { index, condition } = buildKindFilter(kinds);
  const isCounted = sql`${notifications.user_id} = ${userId} AND ${notifications.is_read} = 0 AND NOT (${isOptIn})`;
  return [
    write(sql`
      UPDATE ${notifications} INDEXED BY ${index} SET ${notifications.read_at} = ${now}
      WHERE ${notifications.user_id} = ${userId} AND ${notifications.is_read} = 0 AND ${condition}`),
    readNumber(sql`SELECT changes() AS updated`),
    write(sql`
      UPDATE ${notificationCounts} SET ${notificationCounts.unread} = (
        SELECT count(*) FROM ${notifications} INDEXED BY notifications_by_user WHERE ${isCounted})
      WHERE ${notificationCounts.user_id} = ${userId} AND ${notificationCounts.unread} > 0`),
  ] as const;
}

const notificationIdColumn = selectColumns({ id: notifications.id });

const restorableColumns = [
  'id',
  'ws',
  'type',
  'task',
  'comment',
  'project',
  'actor',
  'read_at',
  'created_at',
] as const;

export function selectNotificationAsJson(userId: string, id: number): SQL {
  const fields = restorableColumns.map((name) => sql`${sql.raw(`'${name}'`)}, ${n[name]}`);
  return sql`SELECT json_object(${sql.join(fields, sql`, `)}) AS rows FROM ${n}
    WHERE ${n.user_id} = ${userId} AND ${n.id} = ${id}`;
}

/** The row may still exist without an owner, because deleting the newest notification keeps its row. */
export function restoreNotificationRow(userId: string, row: string): Statement<void>[] {
  const values = restorableColumns.map((name) => sql`${row} ->> ${sql.raw(`'${name}'`)}`);
  const set = restorableColumns.map((name) => sql`${notifications[name]} = ${excluded[name]}`);
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(notifications, 'user_id', ...restorableColumns)}
      SELECT ${userId}, ${sql.join(values, sql`, `)} WHERE true
      ON CONFLICT (${notifications.id}) DO UPDATE SET ${notifications.user_id} = ${excluded.user_id},
        ${sql.join(set, sql`, `)} WHERE ${notifications.user_id} = ''`),
    assertUnchanged(sql`changes() = 1`),
    write(sql`
      UPDATE ${notificationCounts} SET ${notificationCounts.total} = ${notificationCounts.total} + 1,
        ${notificationCounts.unread} = ${notificationCounts.unread} + (${row} ->> 'read_at' IS NULL)
      WHERE ${notificationCounts.user_id} = ${userId} AND (
        SELECT NOT (${isOptIn}) FROM (SELECT ${row} ->> 'type' AS type))`),
  ];
}

/**
 * Clears the row, including its owner, and deletes cleared rows except the newest, so that no id is reused. The second
 * statement returns null if no row matches.
 */
export function deleteNotification(userId: string, id: number) {
  const row = sql`${notifications} WHERE ${notifications.user_id} = ${userId} AND ${notifications.id} = ${id}`;
  return [
    write(sql`
      UPDATE ${notificationCounts} SET ${notificationCounts.total} = max(0, ${notificationCounts.total} - 1),
        ${notificationCounts.unread} = max(0,
          ${notificationCounts.unread} - (SELECT ${notifications.read_at} IS NULL FROM ${row}))
      WHERE ${notificationCounts.user_id} = ${userId} AND EXISTS (SELECT 1 FROM ${row} AND NOT (${isOptIn}))`),
    readFirstRow(sql`
      UPDATE ${notifications} SET ${notifications.user_id} = '', ${notifications.ws} = 0,
        ${notifications.task} = NULL, ${notifications.project} = NULL, ${notifications.comment} = NULL,
        ${notifications.actor} = NULL,
        ${notifications.read_at} = coalesce(${notifications.read_at}, ${notifications.created_at})
      WHERE ${notifications.user_id} = ${userId} AND ${notifications.id} = ${id} RETURNING ${notificationIdColumn}`),
    write(sql`DELETE FROM ${notifications} WHERE ${notifications.user_id} = ''
      AND ${notifications.id} < (SELECT max(${notifications.id}) FROM ${notifications})`),
  ] as const;
}
