import { buildInList, readRows } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { notifications } from '../../schema/cell/notifications.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { listVisibleNotifications } from './notifications.queries.ts';
import type { NotificationType } from './notifications.schema.ts';

const m = aliasTable(members, 'm');
const n = aliasTable(notifications, 'n');
const w = aliasTable(workspaces, 'w');

export interface UnreadFilter {
  kinds: readonly NotificationType[];
  ids: readonly [after: number, upto: number];
  times: readonly [after: number, upto: number];
  limit: number;
}

/** Newest first. Reads only the 500 newest unread notifications. */
export function listUnreadNotifications(userId: string, { kinds, ids, times, limit }: UnreadFilter) {
  const unread: SQL = sql`
    SELECT * FROM ${notifications} INDEXED BY notifications_by_user
    WHERE ${notifications.user_id} = ${userId} AND ${notifications.is_read} = 0
      AND ${notifications.id} > ${ids[0]} AND ${notifications.id} <= ${ids[1]} ORDER BY ${notifications.id} DESC LIMIT 500`;
  return listVisibleNotifications(sql`
    SELECT ${n.id}, ${n.user_id}, ${n.ws}, ${n.type}, ${n.task}, ${n.comment}, ${n.project}, ${n.actor},
      ${n.read_at}, ${n.created_at}
    FROM (${unread}) n WHERE ${n.created_at} > ${times[0]} AND ${n.created_at} <= ${times[1]} AND ${n.type} IN ${buildInList(kinds)} LIMIT ${limit}`);
}

const memberNameColumns = selectColumns({ workspace_id: w.id, id: m.user_id, name: m.name });

export function listMemberNames(workspaceIds: readonly string[], ids: readonly string[]) {
  return readRows(sql`
    SELECT ${memberNameColumns}
    FROM ${w} CROSS JOIN ${m} ON ${m.ws} = ${w.no}
    WHERE ${w.id} IN ${buildInList(workspaceIds)} AND ${m.user_id} IN ${buildInList(ids)}`);
}
