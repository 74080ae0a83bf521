import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasLeftJoinedTable, aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { notificationCounts, notifications, OPT_IN_CONDITION } from '../../schema/cell/notifications.ts';
import { members } from '../../schema/cell/workspaces.ts';

const k = aliasLeftJoinedTable(notificationCounts, 'k');
const m = aliasTable(members, 'm');
const n = aliasTable(notifications, 'n');

/*
 * An index on the task would cost one more row written per notification, so the statements in this file search the
 * notifications of all members. A hidden notification has a minus sign before its `user_id`, so it belongs to no one.
 */

const isCounted = sql.raw(`(NOT (${OPT_IN_CONDITION}))`);
const HIDDEN_PREFIX = sql.raw(`'-'`);

/** Each batch searches up to this many notifications, or all notifications of one person. */
const NOTIFICATIONS_PER_SLICE = 10_000;

export interface MemberRange {
  readonly after: number;
  readonly upTo: SQL;
}

/**
 * Selects the last member after `after` whose notifications still fit in the batch, or null if that is the workspace's
 * last member. The result must be stored before the batch hides notifications, because hiding them changes the result.
 */
export function selectLastMemberInBatch(ws: number, after: number): SQL {
  return sql`(
    SELECT nullif(max(s.no), (SELECT max(${m.no}) FROM ${m} WHERE ${m.ws} = ${ws})) FROM (
      SELECT ${m.no} AS no, coalesce(${k.total}, 0) AS total,
        sum(coalesce(${k.total}, 0)) OVER (ORDER BY ${m.no} ROWS UNBOUNDED PRECEDING) AS up_to
      FROM ${m} LEFT JOIN ${k} ON ${k.user_id} = ${m.user_id} WHERE ${m.ws} = ${ws} AND ${m.no} > ${after}) s
    WHERE s.up_to - s.total = 0 OR s.up_to <= ${sql.raw(String(NOTIFICATIONS_PER_SLICE))})`;
}

function joinNotifications(ids: SQL, user: SQL): SQL {
  return sql`${n} INDEXED BY notifications_by_user ON ${n.user_id} = ${user} AND ${n.task} IN (${ids})`;
}

export function hideNotifications(ws: number, ids: SQL, { after, upTo }: MemberRange): Statement<void>[] {
  const shown = sql`
    ${m} CROSS JOIN ${joinNotifications(ids, m.user_id)}
    WHERE ${m.ws} = ${ws} AND ${m.no} > ${after} AND ${m.no} <= coalesce(${upTo}, ${m.no})`;
  return [
    write(sql`
      UPDATE ${notificationCounts} SET ${notificationCounts.total} = ${notificationCounts.total} - d.found,
        ${notificationCounts.unread} = ${notificationCounts.unread} - d.found_unread
      FROM (SELECT ${m.user_id} AS user_id, sum(${isCounted}) AS found, sum(${isCounted} AND ${n.read_at} IS NULL) AS found_unread
        FROM ${shown} GROUP BY ${m.user_id}) d
      WHERE ${notificationCounts}.user_id = d.user_id`),
    write(sql`
      UPDATE ${notifications} SET ${notifications.user_id} = ${HIDDEN_PREFIX} || ${notifications.user_id}
      WHERE ${notifications.id} IN (SELECT ${n.id} FROM ${shown})`),
  ];
}

const joinHiddenNotifications = (ws: number, ids: SQL) => sql`
  ${m} CROSS JOIN ${joinNotifications(ids, sql`${HIDDEN_PREFIX} || ${m.user_id}`)} WHERE ${m.ws} = ${ws}`;

export function showNotifications(ws: number, ids: SQL): Statement<void>[] {
  const hidden = joinHiddenNotifications(ws, ids);
  return [
    write(sql`
      UPDATE ${notificationCounts} SET ${notificationCounts.total} = ${notificationCounts.total} + d.found,
        ${notificationCounts.unread} = ${notificationCounts.unread} + d.found_unread
      FROM (SELECT ${m.user_id} AS user_id, sum(${isCounted}) AS found, sum(${isCounted} AND ${n.read_at} IS NULL) AS found_unread
        FROM ${hidden} GROUP BY ${m.user_id}) d
      WHERE ${notificationCounts}.user_id = d.user_id`),
    write(sql`
      UPDATE ${notifications} SET ${notifications.user_id} = substr(${notifications.user_id}, 2)
      WHERE ${notifications.id} IN (SELECT ${n.id} FROM ${hidden})`),
  ];
}

/**
 * Deletes hidden notifications. If one of them is the newest in the table, its row is only cleared, so that its id
 * isn't reused.
 */
export function deleteHiddenNotifications(ws: number, ids: SQL): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${notifications} SET ${notifications.user_id} = '', ${notifications.ws} = 0,
        ${notifications.task} = NULL, ${notifications.project} = NULL, ${notifications.comment} = NULL,
        ${notifications.actor} = NULL,
        ${notifications.read_at} = coalesce(${notifications.read_at}, ${notifications.created_at})
      WHERE ${notifications.id} IN (SELECT ${n.id} FROM ${joinHiddenNotifications(ws, ids)})`),
    write(sql`DELETE FROM ${notifications} WHERE ${notifications.user_id} = ''
      AND ${notifications.id} < (SELECT max(${notifications.id}) FROM ${notifications})`),
  ];
}

/** False for hidden notifications, and for notifications deleted by their recipient. */
export const isOwnedNotification = (userId: SQL) => sql`(${userId} > '.')`;
