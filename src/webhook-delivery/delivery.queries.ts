import { type SQL, sql } from 'drizzle-orm';
import { firstRow, rows, type Statement, write } from '../kernel/database.ts';
import type { Message } from './message.ts';
import type { Attempt } from './send.ts';
import type { StopReason } from './stop-reasons.ts';

/** How many attempts of a webhook are kept; attempt `no` takes the place of attempt `no - 100`. */
const DELIVERIES_KEPT = 100;

/** A workspace, by its numbers. */
export interface Place {
  readonly cell: number;
  readonly workspace: number;
}

/** What sending needs to know of a webhook. */
export interface SenderRow {
  id: number;
  member: number;
  /** Null: made with a session. */
  credential: number | null;
  url: string;
  /** JSON array. */
  types: string | null;
  project: number | null;
  batch: 0 | 1;
  secret: string;
  previousSecret: string | null;
  previousUntil: number | null;
  status: 'active' | 'paused' | 'stopped';
  cursor: number;
  delivered: number | null;
  failures: number;
  failingSince: number | null;
  warned: 0 | 1;
  nextAttemptAt: number | null;
}

const columns = sql`
  h.id AS id, h.member AS member, h.credential AS credential, h.url AS url, h.types AS types, h.project AS project,
  h.batch AS batch, h.secret AS secret, h.previous_secret AS previousSecret, h.previous_until AS previousUntil,
  h.status AS status, h.cursor AS cursor, h.delivered AS delivered, h.failures AS failures,
  h.failing_since AS failingSince, h.warned AS warned, h.next_attempt_at AS nextAttemptAt`;

export function findSender(workspace: number, id: number): Statement<SenderRow | null> {
  return firstRow<SenderRow>(sql`
    SELECT ${columns} FROM webhooks h WHERE h.ws = ${workspace} AND h.id = ${id}`);
}

/** The active webhooks of a workspace, and whether they lag. */
export function listActive(workspace: number): Statement<(SenderRow & { lags: 0 | 1 })[]> {
  return rows<SenderRow & { lags: 0 | 1 }>(sql`
    SELECT ${columns}, h.cursor < coalesce(l.head, 0) AS lags
    FROM (SELECT max(e.seq) AS head FROM events e WHERE e.ws = ${workspace}) l
    CROSS JOIN webhooks h WHERE h.ws = ${workspace} AND h.status = 'active' ORDER BY h.id`);
}

function one(workspace: number, id: number): SQL {
  return sql`ws = ${workspace} AND id = ${id}`;
}

/**
 * The receiver has the events up to `to`.
 * @param from the cursor when they were read. If it is another by now, the webhook was sent back, and stays where it is.
 */
export function recordSuccess(
  workspace: number,
  id: number,
  { from, to }: { from: number; to: number },
  now: number,
): Statement<void> {
  return write(sql`
    UPDATE webhooks SET cursor = CASE WHEN cursor = ${from} THEN ${to} ELSE cursor END,
      delivered = CASE WHEN cursor = ${from} THEN ${to} ELSE delivered END,
      delivered_at = ${now}, attempts = attempts + 1, failures = 0, failing_since = NULL, warned = 0,
      next_attempt_at = NULL
    WHERE ${one(workspace, id)}`);
}

export interface FailureRecord {
  /** Null: it stops. */
  readonly nextAttemptAt: number | null;
  readonly warned: boolean;
  readonly stopReason: StopReason | null;
}

export function recordFailure(
  workspace: number,
  id: number,
  failure: FailureRecord,
  now: number,
): Statement<void> {
  const { nextAttemptAt, warned, stopReason } = failure;
  return write(sql`
    UPDATE webhooks SET attempts = attempts + 1, failures = failures + 1,
      failing_since = coalesce(failing_since, ${now}), warned = ${warned ? 1 : 0}, next_attempt_at = ${nextAttemptAt},
      ${stopping(stopReason)}
    WHERE ${one(workspace, id)}`);
}

/** A webhook that was paused meanwhile stays paused. */
function stopping(reason: StopReason | null): SQL {
  if (reason === null) return sql`status = status`;
  return sql`stop_reason = CASE WHEN status = 'active' THEN ${reason} ELSE stop_reason END,
    status = CASE WHEN status = 'active' THEN 'stopped' ELSE status END`;
}

/** Ends a webhook that cannot be sent to at all, without an attempt. */
export function stop(workspace: number, id: number, reason: StopReason): Statement<void> {
  return write(sql`UPDATE webhooks SET ${stopping(reason)} WHERE ${one(workspace, id)}`);
}

/** Moves the cursor over events that the webhook does not get. */
export function passOver(workspace: number, id: number, from: number, to: number): Statement<void> {
  return write(sql`UPDATE webhooks SET cursor = ${to} WHERE ${one(workspace, id)} AND cursor = ${from}`);
}

/** The events behind its cursor are gone: it goes on with the oldest that is kept, and a new chain begins. */
export function skipForgotten(workspace: number, id: number, oldest: number): Statement<void> {
  return write(sql`
    UPDATE webhooks SET cursor = ${oldest - 1}, delivered = NULL
    WHERE ${one(workspace, id)} AND cursor < ${oldest - 1}`);
}

/** A test is an attempt like others, and moves nothing. */
export function countAttempt(workspace: number, id: number): Statement<void> {
  return write(sql`UPDATE webhooks SET attempts = attempts + 1 WHERE ${one(workspace, id)}`);
}

/** After the statement that counts the attempt, in the same batch. */
export function insertDelivery(
  workspace: number,
  id: number,
  message: Pick<Message, 'id' | 'firstSeq' | 'lastSeq'>,
  attempt: Attempt,
  now: number,
): Statement<void> {
  const { status, error, answer, ms } = attempt;
  return write(sql`
    INSERT INTO webhook_deliveries
      (ws, webhook, slot, no, message, first_seq, last_seq, status, error, answer, ms, attempted_at)
    SELECT h.ws, h.id, h.attempts % ${sql.raw(String(DELIVERIES_KEPT))}, h.attempts, ${message.id},
      ${message.firstSeq}, ${message.lastSeq}, ${status}, ${error},
      ${answer}, ${ms}, ${now}
    FROM webhooks h WHERE h.ws = ${workspace} AND h.id = ${id}
    ON CONFLICT (webhook, slot) DO UPDATE SET no = excluded.no, message = excluded.message,
      first_seq = excluded.first_seq, last_seq = excluded.last_seq, status = excluded.status, error = excluded.error,
      answer = excluded.answer, ms = excluded.ms, attempted_at = excluded.attempted_at`);
}

/** A page of active webhooks of a cell, in the order of their ids; `isLate` where one should have been sent to. */
export function listLate(after: number, now: number, limit: number) {
  return rows<{ id: number; workspace: number; isLate: 0 | 1 }>(sql`
    SELECT h.id AS id, h.ws AS workspace,
      (h.next_attempt_at IS NULL OR h.next_attempt_at <= ${now})
        AND h.cursor < coalesce((SELECT max(e.seq) FROM events e WHERE e.ws = h.ws), 0) AS isLate
    FROM (
      SELECT a.id, a.ws, a.next_attempt_at, a.cursor FROM webhooks a INDEXED BY webhooks_active
      WHERE a.status = 'active' AND a.id > ${after} ORDER BY a.id LIMIT ${limit}) h
    ORDER BY h.id`);
}
