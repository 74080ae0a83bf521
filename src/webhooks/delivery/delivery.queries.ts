import { readFirstRow, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withRowType,
  withType,
} from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { webhookDeliveries, webhooks } from '../../schema/cell/webhooks.ts';
import type { WebhookMessage } from './message.ts';
import type { DeliveryAttempt } from './send-message.ts';
import type { StopReason } from './stop-reasons.ts';

const a = aliasTable(webhooks, 'a');
const excluded = aliasTable(webhookDeliveries, 'excluded');
const e = aliasTable(events, 'e');
const h = aliasTable(webhooks, 'h');
const deliveryInsertTarget = nameInsertColumns(
  webhookDeliveries,
  'ws',
  'webhook',
  'slot',
  'no',
  'message',
  'first_seq',
  'last_seq',
  'status',
  'error',
  'answer',
  'ms',
  'attempted_at',
);

/** Only the last 100 attempts of a webhook are kept. Attempt `no` replaces attempt `no - 100`. */
const DELIVERIES_KEPT_MAX = 100;

export interface WorkspaceKey {
  readonly cell: number;
  readonly workspace: number;
}

export type WebhookSenderRow = Row<typeof senderColumns>;

const senderColumns = selectColumns({
  id: h.id,
  member: h.member,
  credential: h.credential,
  url: h.url,
  types: h.types,
  project: h.project,
  batch: h.batch,
  secret: h.secret,
  previous_secret: h.previous_secret,
  previous_until: h.previous_until,
  older_secrets: h.older_secrets,
  status: h.status,
  cursor: h.cursor,
  delivered: h.delivered,
  failures: h.failures,
  failing_since: h.failing_since,
  warned: h.warned,
  next_attempt_at: h.next_attempt_at,
});

export function findWebhookSender(workspace: number, id: number): Statement<WebhookSenderRow | null> {
  return readFirstRow(sql`
    SELECT ${senderColumns} FROM ${h} WHERE ${h.ws} = ${workspace} AND ${h.id} = ${id}`);
}

const isBehindColumn = selectColumns({ lags: withType<0 | 1>(sql`${h.cursor} < coalesce(l.head, 0)`) });

export function listActiveWebhooks(workspace: number): Statement<(WebhookSenderRow & { lags: 0 | 1 })[]> {
  return readRows(sql`
    SELECT ${senderColumns}, ${isBehindColumn}
    FROM (SELECT max(${e.seq}) AS head FROM ${e} WHERE ${e.ws} = ${workspace}) l
    CROSS JOIN ${h} WHERE ${h.ws} = ${workspace} AND ${h.status} = 'active' ORDER BY ${h.id}`);
}

function isWebhook(workspace: number, id: number): SQL {
  return sql`${webhooks.ws} = ${workspace} AND ${webhooks.id} = ${id}`;
}

/** Doesn't move the cursor if the webhook has been rewound since the events after `from` were read. */
export function recordSuccess(
  workspace: number,
  id: number,
  { from, to }: { from: number; to: number },
  now: number,
): Statement<void> {
  return write(sql`
    UPDATE ${webhooks} SET ${webhooks.cursor} = CASE WHEN ${webhooks.cursor} = ${from} THEN ${to} ELSE ${webhooks.cursor} END,
      ${webhooks.delivered} = CASE WHEN ${webhooks.cursor} = ${from} THEN ${to} ELSE ${webhooks.delivered} END,
      ${webhooks.delivered_at} = ${now}, ${webhooks.attempts} = ${webhooks.attempts} + 1,
        ${webhooks.failures} = 0, ${webhooks.failing_since} = NULL, ${webhooks.warned} = 0,
      ${webhooks.next_attempt_at} = NULL
    WHERE ${isWebhook(workspace, id)}`);
}

export interface FailureRecord {
  readonly nextAttemptAt: number | null;
  readonly warned: boolean;
  readonly stopReason: StopReason | null;
}

/** Doesn't count the failure if the webhook was restarted or its URL was changed after the message was sent. */
export function recordFailure(
  workspace: number,
  { id, url, failures }: Pick<WebhookSenderRow, 'id' | 'url' | 'failures'>,
  failure: FailureRecord,
  now: number,
): Statement<void> {
  const { nextAttemptAt, warned, stopReason } = failure;
  const isSame = sql`${webhooks.url} = ${url} AND ${webhooks.failures} = ${failures}`;
  type FailureColumn = 'failures' | 'failing_since' | 'warned' | 'next_attempt_at';
  const setIfSame = (name: FailureColumn, value: SQL | number | null) =>
    sql`${webhooks[name]} = CASE WHEN ${isSame} THEN ${value} ELSE ${webhooks[name]} END`;
  return write(sql`
    UPDATE ${webhooks} SET ${webhooks.attempts} = ${webhooks.attempts} + 1,
      ${setIfSame('failures', failures + 1)},
      ${setIfSame('failing_since', sql`coalesce(${webhooks.failing_since}, ${now})`)},
      ${setIfSame('warned', warned ? 1 : 0)}, ${setIfSame('next_attempt_at', nextAttemptAt)},
      ${buildStopAssignments(stopReason, sql`${webhooks.status} = 'active' AND ${isSame}`)}
    WHERE ${isWebhook(workspace, id)}`);
}

/** A webhook that was paused after the message was sent stays paused. */
function buildStopAssignments(reason: StopReason | null, stops = sql`${webhooks.status} = 'active'`): SQL {
  if (reason === null) return sql`${webhooks.status} = ${webhooks.status}`;
  return sql`${webhooks.stop_reason} = CASE WHEN ${stops} THEN ${reason} ELSE ${webhooks.stop_reason} END,
    ${webhooks.status} = CASE WHEN ${stops} THEN ${reason === 'scope' ? 'paused' : 'stopped'} ELSE ${webhooks.status} END`;
}

export function stopWebhook(workspace: number, id: number, reason: StopReason): Statement<void> {
  return write(sql`UPDATE ${webhooks} SET ${buildStopAssignments(reason)} WHERE ${isWebhook(workspace, id)}`);
}

export function moveCursor(workspace: number, id: number, from: number, to: number): Statement<void> {
  return write(sql`UPDATE ${webhooks} SET ${webhooks.cursor} = ${to} WHERE ${isWebhook(workspace, id)}
    AND ${webhooks.cursor} = ${from}`);
}

/** Continues with the oldest stored event. Its `previousSeq` is null, because the events before it were deleted. */
export function skipDeletedEvents(workspace: number, id: number, oldest: number): Statement<void> {
  return write(sql`
    UPDATE ${webhooks} SET ${webhooks.cursor} = ${oldest - 1}, ${webhooks.delivered} = NULL
    WHERE ${isWebhook(workspace, id)} AND ${webhooks.cursor} < ${oldest - 1}`);
}

/** A test is an attempt that doesn't move the cursor. If it succeeds, a pending retry takes place immediately. */
export function recordTest(workspace: number, id: number, isDelivered: boolean): Statement<void> {
  return write(sql`
    UPDATE ${webhooks} SET ${webhooks.attempts} = ${webhooks.attempts} + 1,
      ${webhooks.next_attempt_at} = ${isDelivered ? sql`NULL` : webhooks.next_attempt_at}
    WHERE ${isWebhook(workspace, id)}`);
}

/** Must come after the statement that counts the attempt, because the delivery has the same number. */
export function insertDelivery(
  workspace: number,
  id: number,
  message: Pick<WebhookMessage, 'id' | 'firstSeq' | 'lastSeq'>,
  attempt: DeliveryAttempt,
  now: number,
): Statement<void> {
  const { status, error, answer, ms } = attempt;
  return write(sql`
    INSERT INTO ${deliveryInsertTarget}
    SELECT ${h.ws}, ${h.id}, ${h.attempts} % ${sql.raw(String(DELIVERIES_KEPT_MAX))}, ${h.attempts}, ${message.id},
      ${message.firstSeq}, ${message.lastSeq}, ${status}, ${error},
      ${answer}, ${ms}, ${now}
    FROM ${h} WHERE ${h.ws} = ${workspace} AND ${h.id} = ${id}
    ON CONFLICT (${webhookDeliveries.webhook}, ${webhookDeliveries.slot}) DO UPDATE
      SET ${webhookDeliveries.no} = ${excluded.no}, ${webhookDeliveries.message} = ${excluded.message},
      ${webhookDeliveries.first_seq} = ${excluded.first_seq},
        ${webhookDeliveries.last_seq} = ${excluded.last_seq},
        ${webhookDeliveries.status} = ${excluded.status}, ${webhookDeliveries.error} = ${excluded.error},
      ${webhookDeliveries.answer} = ${excluded.answer}, ${webhookDeliveries.ms} = ${excluded.ms},
        ${webhookDeliveries.attempted_at} = ${excluded.attempted_at}`);
}

const cellWebhookColumns = selectColumns({
  id: h.id,
  workspace: h.ws,
});

/** `is_late` is 1 if the webhook has an overdue delivery. */
function selectActiveWebhooksInCell(after: number, now: number, limit: number) {
  return sql`
    SELECT ${cellWebhookColumns}, ${selectColumns({
      is_late: withType<0 | 1>(sql`(${h.next_attempt_at} IS NULL OR ${h.next_attempt_at} <= ${now})
        AND ${h.cursor} < coalesce((SELECT max(${e.seq}) FROM ${e} WHERE ${e.ws} = ${h.ws}), 0)`),
    })}
    FROM (
      SELECT ${a.id}, ${a.ws}, ${a.next_attempt_at}, ${a.cursor} FROM ${a} INDEXED BY webhooks_active
      WHERE ${a.status} = 'active' AND ${a.id} > ${after} ORDER BY ${a.id} LIMIT ${limit}) h`;
}

export function listActiveWebhooksInCell(after: number, now: number, limit: number) {
  return readRows(sql`${withRowType(selectActiveWebhooksInCell(after, now, limit))} ORDER BY ${h.id}`);
}

/** Also true if there are at least `limit` active webhooks, because the query checks only `limit` of them. */
export function hasLateWebhooks(now: number, limit: number): SQL {
  return sql`(SELECT count(*) = ${limit} OR coalesce(max(is_late), 0) FROM (${selectActiveWebhooksInCell(0, now, limit)}))`;
}
