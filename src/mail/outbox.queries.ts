import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm';
import { buildInList, readRows, write } from '../kernel/sql/database.ts';
import {
  type Argument,
  pickColumns,
  prepared,
  query,
  type RowOf,
  toRowLimit,
} from '../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, type Row, type SQL, selectColumns, sql } from '../kernel/sql/sql.ts';
import { outbox } from '../schema/directory/outbox.ts';

const o = aliasTable(outbox, 'o');

export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** A POST to this URL unsubscribes the recipient from this kind of email (RFC 8058). */
  unsubscribe?: string | null;
}

const claimedMailColumns = selectColumns({
  id: outbox.id,
  recipient: outbox.recipient,
  subject: outbox.subject,
  text: outbox.text,
  html: outbox.html,
  unsubscribe: outbox.unsubscribe,
  attempts: outbox.attempts,
});
export type ClaimedMail = Row<typeof claimedMailColumns>;

const DELETIONS_PER_RUN_MAX = 200;

const idColumn = selectColumns({ id: outbox.id });

/** `recipients` is a SELECT of `email`. `about` is the id of the person mentioned in the email. */
export function queueMailTo(recipients: SQL, mail: Mail, now: number, about: string | null = null) {
  return readRows(sql`
    INSERT INTO ${nameInsertColumns(outbox, 'recipient', 'subject', 'text', 'html', 'about', 'unsubscribe', 'created_at', 'next_attempt_at')}
    SELECT r.email, ${mail.subject}, ${mail.text}, ${mail.html}, ${about}, ${mail.unsubscribe ?? null}, ${now}, ${now}
      FROM (${recipients}) r
    RETURNING ${idColumn}`);
}

export function selectEmail(email: string): SQL {
  return sql`SELECT ${email} AS email`;
}

/** Claims due emails and schedules their next attempt, so that no email is lost if this attempt crashes. */
export function claimEmails(ids: readonly number[], firstWaitMs: number, now: number, dueUntil: number) {
  return readRows(sql`
    UPDATE ${outbox} SET ${outbox.attempts} = ${outbox.attempts} + 1,
      ${outbox.next_attempt_at} = ${now} + ${firstWaitMs} * (1 << ${outbox.attempts})
    WHERE ${outbox.id} IN ${buildInList(ids)} AND ${outbox.next_attempt_at} <= ${dueUntil}
    RETURNING ${claimedMailColumns}`);
}

interface DueEmailOptions {
  dueUntil: number;
  limit: number;
}

/** Moves the returned emails to the end of the queue, so that the next call returns other emails. */
export function takeDueTransactionalEmails({ dueUntil, limit }: DueEmailOptions, now: number) {
  return readRows(sql`
    UPDATE ${outbox} SET ${outbox.next_attempt_at} = ${now} WHERE ${outbox.id} IN (
      SELECT ${o.id} FROM ${o} INDEXED BY outbox_due_transactional
      WHERE ${o.next_attempt_at} IS NOT NULL AND ${o.next_attempt_at} <= ${dueUntil} AND ${o.unsubscribe} IS NULL
      ORDER BY ${o.next_attempt_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}

export function takeDueNotificationEmails({ dueUntil, limit }: DueEmailOptions, now: number) {
  return readRows(sql`
    UPDATE ${outbox} SET ${outbox.next_attempt_at} = ${now} WHERE ${outbox.id} IN (
      SELECT ${o.id} FROM ${o} INDEXED BY outbox_due
      WHERE ${o.next_attempt_at} IS NOT NULL AND ${o.next_attempt_at} <= ${dueUntil} AND ${o.unsubscribe} IS NOT NULL
      ORDER BY ${o.next_attempt_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}

export const markEmailSent = prepared.write((id: Argument<number>, now: Argument<number>) =>
  query
    .update(outbox)
    .set({ sent_at: now, next_attempt_at: null, last_error: null })
    .where(eq(outbox.id, id)),
);

/** Prevents a slow attempt from overwriting the result of a later one. */
const isLatestAttempt = (id: Argument<number>, attempt: Argument<number>) =>
  and(eq(outbox.id, id), eq(outbox.attempts, attempt), isNull(outbox.sent_at));

const recordFinalError = prepared.write(
  (id: Argument<number>, attempt: Argument<number>, error: Argument<string>) =>
    query
      .update(outbox)
      .set({ last_error: error, next_attempt_at: null })
      .where(isLatestAttempt(id, attempt)),
);

const recordTemporaryError = prepared.write(
  (id: Argument<number>, attempt: Argument<number>, error: Argument<string>) =>
    query.update(outbox).set({ last_error: error }).where(isLatestAttempt(id, attempt)),
);

export function markEmailFailed({ id, attempts }: ClaimedMail, error: string, isFinal: boolean) {
  return isFinal ? recordFinalError(id, attempts, error) : recordTemporaryError(id, attempts, error);
}

export function postponeMail({ id, attempts }: ClaimedMail, until: number) {
  return write(sql`
    UPDATE ${outbox} SET ${outbox.attempts} = ${outbox.attempts} - 1, ${outbox.next_attempt_at} = ${until}
    WHERE ${outbox.id} = ${id} AND ${outbox.attempts} = ${attempts}`);
}

export const deleteFinishedEmails = prepared.write((olderThan: Argument<number>) => {
  const finished = query
    .select(pickColumns(outbox, 'id'))
    .from(outbox)
    .where(and(lt(outbox.created_at, olderThan), isNull(outbox.next_attempt_at)))
    .orderBy(outbox.created_at)
    .limit(DELETIONS_PER_RUN_MAX);
  return query.delete(outbox).where(inArray(outbox.id, finished));
});

export const listNewestEmails = prepared.rows((limit: Argument<number>) =>
  query
    .select(pickColumns(outbox, 'recipient', 'subject', 'text', 'html', 'created_at'))
    .from(outbox)
    .orderBy(desc(outbox.id))
    .limit(toRowLimit(limit)),
);
export type OutboxMail = RowOf<typeof listNewestEmails>;
