import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { isOwnedNotification } from '../../notifications/inbox/hide-notifications.queries.ts';
import { attachments, uploads, workspaceStorage } from '../../schema/cell/attachments.ts';
import {
  commentCounts,
  dueDays,
  memberHalfMonths,
  otherAssigneeCounts,
  subtaskCounts,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { labelCounts } from '../../schema/cell/labels.ts';
import { notificationCounts, notifications, OPT_IN_CONDITION } from '../../schema/cell/notifications.ts';
import { projects } from '../../schema/cell/projects.ts';
import { otherAssignees } from '../../schema/cell/tasks.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';

const a = aliasTable(attachments, 'a');
const counted = aliasTable(notificationCounts, 'excluded');
const summed = aliasTable(workspaceStorage, 'excluded');
const stored = aliasTable(notificationCounts, 'notification_counts');
const orphan = aliasTable(commentCounts, 'comment_counts');
const days = aliasTable(dueDays, 'due_days');
const m = aliasTable(members, 'm');
const n = aliasTable(notifications, 'n');
const p = aliasTable(projects, 'p');
const q = aliasTable(otherAssignees, 'q');
const s = aliasTable(workspaceStorage, 's');
const u = aliasTable(uploads, 'u');
const w = aliasTable(workspaces, 'w');

// The statements below repair counters that belong to no project. Each writes only the counters that are wrong, and
// returns their keys.

const isOptIn = sql.raw(OPT_IN_CONDITION);
const notificationKey = selectColumns({ key: notificationCounts.user_id });

export function repairNotificationCounts(): Statement<{ key: string }[]>[] {
  return [
    readRows(sql`
      INSERT INTO ${nameInsertColumns(notificationCounts, 'user_id', 'total', 'unread')}
      SELECT ${notifications.user_id}, count(*), sum(${notifications.read_at} IS NULL) FROM ${notifications}
        WHERE ${isOwnedNotification(sql`${notifications.user_id}`)} AND NOT (${isOptIn}) GROUP BY ${notifications.user_id}
      ON CONFLICT (${notificationCounts.user_id}) DO UPDATE SET ${notificationCounts.total} = ${counted.total},
        ${notificationCounts.unread} = ${counted.unread}
      WHERE ${notificationCounts.total} <> ${counted.total} OR ${notificationCounts.unread} <> ${counted.unread}
      RETURNING ${notificationKey}`),
    readRows(sql`
      UPDATE ${notificationCounts} SET ${notificationCounts.total} = 0, ${notificationCounts.unread} = 0
        WHERE (${notificationCounts.total} <> 0 OR ${notificationCounts.unread} <> 0)
      AND NOT EXISTS (SELECT 1 FROM ${n} WHERE ${n.user_id} = ${stored.user_id} AND NOT (${isOptIn}))
      RETURNING ${notificationKey}`),
  ];
}

const storageKey = selectColumns({ key: withType<string>(sql`CAST(${workspaceStorage.ws} AS TEXT)`) });

export function repairStorageUsage(): Statement<{ key: string }[]>[] {
  const used = sql`coalesce((SELECT sum(${a.file_size}) FROM ${a} WHERE ${a.ws} = ${w.no}), 0)`;
  const reserved = sql`coalesce((SELECT sum(${u.reserved}) FROM ${u} WHERE ${u.ws} = ${w.no}), 0)`;
  return [
    readRows(sql`
      INSERT INTO ${nameInsertColumns(workspaceStorage, 'ws', 'used', 'reserved')} SELECT ${w.no}, ${used}, ${reserved} FROM ${w}
      WHERE ${used} > 0 OR ${reserved} > 0 OR EXISTS (SELECT 1 FROM ${s} WHERE ${s.ws} = ${w.no})
      ON CONFLICT (${workspaceStorage.ws}) DO UPDATE SET ${workspaceStorage.used} = ${summed.used},
        ${workspaceStorage.reserved} = ${summed.reserved}
      WHERE ${workspaceStorage.used} <> ${summed.used} OR ${workspaceStorage.reserved} <> ${summed.reserved}
      RETURNING ${storageKey}`),
  ];
}

const dueDayKey = selectColumns({ key: withType<string>(sql`'due_days of project ' || ${dueDays.project}`) });

const labelKey = selectColumns({
  key: withType<string>(sql`'label_counts of project ' || ${labelCounts.project}`),
});

const otherAssigneeKey = selectColumns({
  key: withType<string>(sql`'other_assignees of project ' || ${otherAssignees.project}`),
});

const commentKey = selectColumns({
  key: withType<string>(sql`'comment_counts of project ' || ${commentCounts.project}`),
});

export function deleteOrphanedCounters(): Statement<{ key: string }[]>[] {
  return [
    ...(
      [
        ['task_counts', taskCounts],
        ['subtask_counts', subtaskCounts],
        ['other_assignee_counts', otherAssigneeCounts],
        ['member_halves', memberHalfMonths],
      ] as const
    ).map(([name, table]) => {
      const c = aliasTable<
        typeof taskCounts | typeof subtaskCounts | typeof otherAssigneeCounts | typeof memberHalfMonths
      >(table, 'c');
      return readRows(sql`
      DELETE FROM ${table} AS c WHERE
        (${c.project} > 0 AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${c.project} AND ${p.ws} = ${c.ws}))
        OR (${c.member} > 0 AND NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${c.member} AND ${m.ws} = ${c.ws}))
      RETURNING ${selectColumns({
        key: withType<string>(
          sql`${`${name} of project `} || ${table.project} || ', member ' || ${table.member}`,
        ),
      })}`);
    }),
    readRows(sql`
      DELETE FROM ${otherAssignees} AS q WHERE NOT EXISTS (
        SELECT 1 FROM ${p} WHERE ${p.id} = ${q.project} AND ${p.ws} = ${q.ws})
      RETURNING ${otherAssigneeKey}`),
    readRows(sql`
      DELETE FROM ${commentCounts} WHERE NOT EXISTS (
          SELECT 1 FROM ${p} WHERE ${p.id} = ${orphan.project} AND ${p.ws} = ${orphan.ws})
        AND NOT (${orphan.project} = 0
          AND EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${orphan.member} AND ${m.ws} = ${orphan.ws}))
        OR ${orphan.member} > 0
          AND NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${orphan.member} AND ${m.ws} = ${orphan.ws})
      RETURNING ${commentKey}`),
    readRows(sql`
      DELETE FROM ${labelCounts} WHERE ${labelCounts.project} > 0 AND NOT EXISTS (
        SELECT 1 FROM ${p} WHERE ${p.id} = ${labelCounts.project} AND ${p.ws} = ${labelCounts.ws})
      RETURNING ${labelKey}`),
    readRows(sql`
      DELETE FROM ${dueDays} WHERE NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${days.project})
      RETURNING ${dueDayKey}`),
  ];
}
