import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, into, names, sql, typed } from '../../kernel/sql/sql.ts';
import { attachments, storage, uploads } from '../../schema/cell/attachments.ts';
import { commentCounts, dueDays, memberHalves, taskCounts } from '../../schema/cell/counters.ts';
import { notificationCounts, notifications } from '../../schema/cell/notifications.ts';
import { projects } from '../../schema/cell/projects.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';

const a = names(attachments, 'a');
const counted = names(notificationCounts, 'excluded');
const summed = names(storage, 'excluded');
const stored = names(notificationCounts, 'notification_counts');
const stray = names(commentCounts, 'comment_counts');
const days = names(dueDays, 'due_days');
const m = names(members, 'm');
const n = names(notifications, 'n');
const p = names(projects, 'p');
const s = names(storage, 's');
const u = names(uploads, 'u');
const w = names(workspaces, 'w');

// Repairs counters that belong to no project. Each statement returns the keys that were wrong and writes only those.

const notificationKey = columns({ key: notificationCounts.user_id });

export function repairNotificationCounts(): Statement<{ key: string }[]>[] {
  return [
    rows(sql`
      INSERT INTO ${into(notificationCounts, 'user_id', 'total', 'unread')}
      SELECT ${notifications.user_id}, count(*), sum(${notifications.read_at} IS NULL) FROM ${notifications}
        WHERE ${notifications.user_id} <> '' GROUP BY ${notifications.user_id}
      ON CONFLICT (${notificationCounts.user_id}) DO UPDATE SET ${notificationCounts.total} = ${counted.total},
        ${notificationCounts.unread} = ${counted.unread}
      WHERE ${notificationCounts.total} <> ${counted.total} OR ${notificationCounts.unread} <> ${counted.unread}
      RETURNING ${notificationKey}`),
    rows(sql`
      UPDATE ${notificationCounts} SET ${notificationCounts.total} = 0, ${notificationCounts.unread} = 0
        WHERE (${notificationCounts.total} <> 0 OR ${notificationCounts.unread} <> 0)
      AND NOT EXISTS (SELECT 1 FROM ${n} WHERE ${n.user_id} = ${stored.user_id})
      RETURNING ${notificationKey}`),
  ];
}

const storageKey = columns({ key: typed<string>(sql`CAST(${storage.ws} AS TEXT)`) });

export function repairStorage(): Statement<{ key: string }[]>[] {
  const used = sql`coalesce((SELECT sum(${a.file_size}) FROM ${a} WHERE ${a.ws} = ${w.no}), 0)`;
  const reserved = sql`coalesce((SELECT sum(${u.reserved}) FROM ${u} WHERE ${u.ws} = ${w.no}), 0)`;
  return [
    rows(sql`
      INSERT INTO ${into(storage, 'ws', 'used', 'reserved')} SELECT ${w.no}, ${used}, ${reserved} FROM ${w}
      WHERE ${used} > 0 OR ${reserved} > 0 OR EXISTS (SELECT 1 FROM ${s} WHERE ${s.ws} = ${w.no})
      ON CONFLICT (${storage.ws}) DO UPDATE SET ${storage.used} = ${summed.used},
        ${storage.reserved} = ${summed.reserved}
      WHERE ${storage.used} <> ${summed.used} OR ${storage.reserved} <> ${summed.reserved}
      RETURNING ${storageKey}`),
  ];
}

const dueDayKey = columns({ key: typed<string>(sql`'due_days of project ' || ${dueDays.project}`) });

const commentKey = columns({
  key: typed<string>(sql`'comment_counts of project ' || ${commentCounts.project}`),
});

export function dropStrayCounters(): Statement<{ key: string }[]>[] {
  return [
    ...(
      [
        ['task_counts', taskCounts],
        ['member_halves', memberHalves],
      ] as const
    ).map(([name, table]) => {
      const c = names<typeof taskCounts | typeof memberHalves>(table, 'c');
      return rows(sql`
      DELETE FROM ${table} AS c WHERE
        (${c.project} > 0 AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${c.project} AND ${p.ws} = ${c.ws}))
        OR (${c.member} > 0 AND NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${c.member} AND ${m.ws} = ${c.ws}))
      RETURNING ${columns({
        key: typed<string>(
          sql`${`${name} of project `} || ${table.project} || ', member ' || ${table.member}`,
        ),
      })}`);
    }),
    rows(sql`
      DELETE FROM ${commentCounts} WHERE NOT EXISTS (
          SELECT 1 FROM ${p} WHERE ${p.id} = ${stray.project} AND ${p.ws} = ${stray.ws})
        AND NOT (${stray.project} = 0
          AND EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${stray.member} AND ${m.ws} = ${stray.ws}))
        OR ${stray.member} > 0
          AND NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${stray.member} AND ${m.ws} = ${stray.ws})
      RETURNING ${commentKey}`),
    rows(sql`
      DELETE FROM ${dueDays} WHERE NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${days.project})
      RETURNING ${dueDayKey}`),
  ];
}
