import { buildInList, readFirstRow, readNumber, readRows, write } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { queueMailTo } from '../../mail/outbox.queries.ts';
import type { Mail } from '../../mail/templates.ts';
import { mailCursors, mailedCells, mailPreferences } from '../../schema/cell/notification-emails.ts';
import { memberships, workspacePlacements } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';

const c = aliasLeftJoinedTable(mailCursors, 'c');
const ms = aliasTable(memberships, 'ms');
const p = aliasLeftJoinedTable(mailPreferences, 'p');
const duePreferences = aliasTable(mailPreferences, 'p');
const u = aliasTable(users, 'u');
const w = aliasTable(workspacePlacements, 'w');

const isReachable = sql`${u.verified_at} IS NOT NULL AND ${u.deleted_at} IS NULL`;

const modesColumn = selectColumns({ modes: duePreferences.modes });

export function findMailModes(userId: string) {
  return readFirstRow(
    sql`SELECT ${modesColumn} FROM ${duePreferences} WHERE ${duePreferences.user_id} = ${userId}`,
  );
}

interface MailPreferences {
  modes: string;
  dailyAt: number | null;
  now: number;
}

export function saveMailPreferences(userId: string, { modes, dailyAt, now }: MailPreferences) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(mailPreferences, 'user_id', 'modes', 'daily_at', 'daily_since')}
    VALUES (${userId}, ${modes}, ${dailyAt}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET ${mailPreferences.modes} = ${modes},
      ${mailPreferences.daily_since} = CASE WHEN ${mailPreferences.daily_at} IS NULL THEN ${now}
        ELSE ${mailPreferences.daily_since} END,
      ${mailPreferences.daily_at} = CASE WHEN ${dailyAt} IS NULL THEN NULL
        ELSE coalesce(${mailPreferences.daily_at}, ${dailyAt}) END`);
}

export function getMailCursor(cell: number) {
  return readNumber(sql`
    SELECT coalesce((SELECT ${mailedCells.upto} FROM ${mailedCells} WHERE ${mailedCells.cell} = ${cell}), 0) AS upto`);
}

/** Does nothing if another run has moved the cursor. */
export function moveMailCursor(cell: number, from: number, to: number) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(mailedCells, 'cell', 'upto')} VALUES (${cell}, ${to})
    ON CONFLICT (cell) DO UPDATE SET ${mailedCells.upto} = ${to} WHERE ${mailedCells.upto} = ${from}`);
}

const recipientColumns = selectColumns({
  id: u.id,
  name: u.name,
  modes: p.modes,
  upto: withType<number>(sql`coalesce(${c.upto}, 0)`),
});
export type MailRecipient = Row<typeof recipientColumns>;

export function listMailRecipients(cell: number, ids: readonly string[]) {
  return readRows(sql`
    SELECT ${recipientColumns} FROM ${u} LEFT JOIN ${p} ON ${p.user_id} = ${u.id}
      LEFT JOIN ${c} ON ${c.user_id} = ${u.id} AND ${c.cell} = ${cell}
    WHERE ${u.id} IN ${buildInList(ids)} AND ${isReachable}`);
}

interface MailCursorMove {
  userId: string;
  cell: number;
  from: number;
  to: number;
}

/** Does nothing if another run has moved the cursor. The last statement returns the current cursor. */
export function queueImmediateMail({ userId, cell, from, to }: MailCursorMove, mail: Mail, now: number) {
  const cursor = sql`coalesce((SELECT ${mailCursors.upto} FROM ${mailCursors}
    WHERE ${mailCursors.user_id} = ${userId} AND ${mailCursors.cell} = ${cell}), 0)`;
  return [
    queueMailTo(selectEmailIf(userId, sql`${cursor} = ${from}`), mail, now),
    write(sql`
      INSERT INTO ${nameInsertColumns(mailCursors, 'user_id', 'cell', 'upto')} VALUES (${userId}, ${cell}, ${to})
      ON CONFLICT (user_id, cell) DO UPDATE SET ${mailCursors.upto} = ${to} WHERE ${mailCursors.upto} = ${from}`),
    readNumber(sql`SELECT ${cursor} AS upto`),
  ] as const;
}

function selectEmailIf(userId: string, condition: SQL): SQL {
  return sql`SELECT ${u.email} AS email FROM ${u} WHERE ${u.id} = ${userId} AND ${isReachable} AND ${condition}`;
}

const dailyRecipientColumns = selectColumns({
  id: u.id,
  name: u.name,
  modes: duePreferences.modes,
  daily_at: withType<number>(duePreferences.daily_at),
  since: duePreferences.daily_since,
  cells: withType<string>(sql`(SELECT json_group_array(DISTINCT ${w.cell}) FROM ${ms}
    CROSS JOIN ${w} ON ${w.id} = ${ms.workspace_id}
    WHERE ${ms.user_id} = ${u.id} AND ${ms.ended_at} IS NULL)`),
});

export function listDailyRecipients(now: number, limit: number) {
  return readRows(sql`
    SELECT ${dailyRecipientColumns} FROM ${duePreferences} INDEXED BY mail_preferences_daily
      CROSS JOIN ${u} ON ${u.id} = ${duePreferences.user_id}
    WHERE ${duePreferences.daily_at} IS NOT NULL AND ${duePreferences.daily_at} <= ${now}
    ORDER BY ${duePreferences.daily_at} LIMIT ${limit}`);
}

interface DailyMail {
  userId: string;
  dailyAt: number;
  next: number;
  until: number;
}

/** Does nothing if another run has already scheduled the next email. */
export function queueDailyMail({ userId, dailyAt, next, until }: DailyMail, mail: Mail | null, now: number) {
  const isDue = sql`EXISTS (SELECT 1 FROM ${mailPreferences}
    WHERE ${mailPreferences.user_id} = ${userId} AND ${mailPreferences.daily_at} = ${dailyAt})`;
  return [
    ...(mail ? [queueMailTo(selectEmailIf(userId, isDue), mail, now)] : []),
    write(sql`
      UPDATE ${mailPreferences} SET ${mailPreferences.daily_at} = ${next}, ${mailPreferences.daily_since} = ${until}
      WHERE ${mailPreferences.user_id} = ${userId} AND ${mailPreferences.daily_at} = ${dailyAt}`),
  ];
}

export function deleteMailData(userId: string) {
  return [
    write(sql`DELETE FROM ${mailPreferences} WHERE ${mailPreferences.user_id} = ${userId}`),
    write(sql`DELETE FROM ${mailCursors} WHERE ${mailCursors.user_id} = ${userId}`),
  ];
}
