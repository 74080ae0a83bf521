import { buildInList, readNumber, readRows, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { pushedCells, pushMessages, pushSubscriptions } from '../../schema/directory/push.ts';

const m = aliasTable(pushMessages, 'm');
/** Qualifies the columns of the updated table, which have the same names as those of subscriptions. */
const claimed = aliasTable(pushMessages, 'push_messages');
const s = aliasTable(pushSubscriptions, 's');

export function getPushCursor(cell: number) {
  return readNumber(sql`
    SELECT coalesce((SELECT ${pushedCells.upto} FROM ${pushedCells} WHERE ${pushedCells.cell} = ${cell}), -1) AS upto`);
}

/** Does nothing if another run has moved the cursor. */
function movePushCursor(cell: number, from: number, to: number) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(pushedCells, 'cell', 'upto')} VALUES (${cell}, ${to})
    ON CONFLICT (cell) DO UPDATE SET ${pushedCells.upto} = ${to} WHERE ${pushedCells.upto} = ${from}`);
}

export interface NewMessage {
  readonly sessionHash: string;
  readonly p256dh: string;
  readonly topic: string;
  readonly urgency: 'normal' | 'high';
  /** Encrypted, in base64. */
  readonly body: string;
}

const idColumn = selectColumns({ id: pushMessages.id });

/** Leaves out browsers that have turned off push or subscribed again since they were read. */
export function queueMessages(
  messages: readonly NewMessage[],
  expiresAt: number,
  now: number,
  condition = sql`true`,
) {
  const list = JSON.stringify(
    messages.map(({ sessionHash, p256dh, topic, urgency, body }) => [
      sessionHash,
      p256dh,
      topic,
      urgency,
      body,
    ]),
  );
  return readRows(sql`
    INSERT INTO ${nameInsertColumns(pushMessages, 'session_hash', 'topic', 'urgency', 'body', 'next_attempt_at', 'expires_at')}
    SELECT ${s.session_hash}, j.value ->> 2, j.value ->> 3, j.value ->> 4, ${now}, ${expiresAt}
    FROM json_each(${list}) j CROSS JOIN ${s} ON ${s.session_hash} = j.value ->> 0 AND ${s.p256dh} = j.value ->> 1
    WHERE ${condition}
    ON CONFLICT DO NOTHING RETURNING ${idColumn}`);
}

interface CursorMove {
  readonly cell: number;
  readonly from: number;
  readonly to: number;
}

/** Queues nothing if another run has moved the cursor. The last statement returns the current cursor. */
export function queueMessagesAndMoveCursor(
  { cell, from, to }: CursorMove,
  messages: readonly NewMessage[],
  expiresAt: number,
  now: number,
) {
  const isAtStart = sql`coalesce((
    SELECT ${pushedCells.upto} FROM ${pushedCells} WHERE ${pushedCells.cell} = ${cell}), -1) = ${from}`;
  return [
    queueMessages(messages, expiresAt, now, isAtStart),
    movePushCursor(cell, from, to),
    getPushCursor(cell),
  ] as const;
}

const claimedColumns = selectColumns({
  id: pushMessages.id,
  session_hash: pushMessages.session_hash,
  topic: pushMessages.topic,
  urgency: pushMessages.urgency,
  body: pushMessages.body,
  attempts: pushMessages.attempts,
  expires_at: pushMessages.expires_at,
  /** Empty if an incomplete restore lost the subscription. */
  endpoint: withType<string>(sql`coalesce((
    SELECT ${s.endpoint} FROM ${s} WHERE ${s.session_hash} = ${claimed.session_hash}), '')`),
});
export type ClaimedMessage = Row<typeof claimedColumns>;

/** Claims due messages and schedules their next attempt, so that no message is lost if this attempt crashes. */
export function claimMessages(due: SQL, firstWaitMs: number, now: number) {
  return readRows(sql`
    UPDATE ${pushMessages} SET ${pushMessages.attempts} = ${pushMessages.attempts} + 1,
      ${pushMessages.next_attempt_at} = ${now} + ${firstWaitMs} * (1 << ${pushMessages.attempts})
    WHERE ${pushMessages.id} IN (${due}) RETURNING ${claimedColumns}`);
}

export function selectDueMessages(now: number, limit: number): SQL {
  return sql`
    SELECT ${m.id} FROM ${m} INDEXED BY push_messages_due
    WHERE ${m.next_attempt_at} <= ${now} ORDER BY ${m.next_attempt_at} LIMIT ${limit}`;
}

export function selectDueMessagesById(ids: readonly number[], now: number): SQL {
  return sql`SELECT ${m.id} FROM ${m} WHERE ${m.id} IN ${buildInList(ids)} AND ${m.next_attempt_at} <= ${now}`;
}

export function deleteMessages(ids: readonly number[]) {
  return write(sql`DELETE FROM ${pushMessages} WHERE ${pushMessages.id} IN ${buildInList(ids)}`);
}

/** Postpones a message if this attempt is still the latest one. */
export function postponeMessages(postponed: readonly { id: number; attempts: number; until: number }[]) {
  const list = JSON.stringify(postponed.map(({ id, attempts, until }) => [id, attempts, until]));
  return write(sql`
    UPDATE ${pushMessages} AS m SET ${pushMessages.next_attempt_at} = max(${m.next_attempt_at}, later.until)
    FROM (SELECT value ->> 0 AS id, value ->> 1 AS attempts, value ->> 2 AS until FROM json_each(${list})) later
    WHERE ${m.id} = later.id AND ${m.attempts} = later.attempts`);
}
