import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm';
import { inList, rows, write } from '../kernel/sql/database.ts';
import { type Given, pick, prepared, query, type RowOf, toRowLimit } from '../kernel/sql/prepared.ts';
import { columns, into, names, type Row, type SQL, sql } from '../kernel/sql/sql.ts';
import { outbox } from '../schema/directory/outbox.ts';

const o = names(outbox, 'o');

export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** A POST to this URL unsubscribes from this kind of mail (RFC 8058). */
  unsubscribe?: string | null;
}

const claimedMailColumns = columns({
  id: outbox.id,
  recipient: outbox.recipient,
  subject: outbox.subject,
  text: outbox.text,
  html: outbox.html,
  unsubscribe: outbox.unsubscribe,
  /** Includes the current attempt. */
  attempts: outbox.attempts,
});
export type ClaimedMail = Row<typeof claimedMailColumns>;

const DELETED_ROWS_MAX = 200;

const idColumn = columns({ id: outbox.id });

/** `recipients` is a query that returns `email`. `about` is the id of a person whom the mail mentions. */
export function queueMailTo(recipients: SQL, mail: Mail, now: number, about: string | null = null) {
  return rows(sql`
    INSERT INTO ${into(outbox, 'recipient', 'subject', 'text', 'html', 'about', 'unsubscribe', 'created_at', 'next_attempt_at')}
    SELECT r.email, ${mail.subject}, ${mail.text}, ${mail.html}, ${about}, ${mail.unsubscribe ?? null}, ${now}, ${now}
      FROM (${recipients}) r
    RETURNING ${idColumn}`);
}

export function selectEmail(email: string): SQL {
  return sql`SELECT ${email} AS email`;
}

/** Claims due mail and schedules the next attempt, so that the mail is sent later if this attempt crashes. */
export function claimMails(ids: readonly number[], firstWaitMs: number, now: number, dueUntil: number) {
  return rows(sql`
    UPDATE ${outbox} SET ${outbox.attempts} = ${outbox.attempts} + 1,
      ${outbox.next_attempt_at} = ${now} + ${firstWaitMs} * (1 << ${outbox.attempts})
    WHERE ${outbox.id} IN ${inList(ids)} AND ${outbox.next_attempt_at} <= ${dueUntil}
    RETURNING ${claimedMailColumns}`);
}

interface Sweep {
  dueUntil: number;
  limit: number;
}

/** Returns due mail that isn't a notification, and moves it to the end, so that the next call returns other mail. */
export function sweepTransactional({ dueUntil, limit }: Sweep, now: number) {
  return rows(sql`
    UPDATE ${outbox} SET ${outbox.next_attempt_at} = ${now} WHERE ${outbox.id} IN (
      SELECT ${o.id} FROM ${o} INDEXED BY outbox_due_transactional
      WHERE ${o.next_attempt_at} IS NOT NULL AND ${o.next_attempt_at} <= ${dueUntil} AND ${o.unsubscribe} IS NULL
      ORDER BY ${o.next_attempt_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}

export function sweepNotifications({ dueUntil, limit }: Sweep, now: number) {
  return rows(sql`
    UPDATE ${outbox} SET ${outbox.next_attempt_at} = ${now} WHERE ${outbox.id} IN (
      SELECT ${o.id} FROM ${o} INDEXED BY outbox_due
      WHERE ${o.next_attempt_at} IS NOT NULL AND ${o.next_attempt_at} <= ${dueUntil} AND ${o.unsubscribe} IS NOT NULL
      ORDER BY ${o.next_attempt_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}

export const markSent = prepared.write((id: Given<number>, now: Given<number>) =>
  query
    .update(outbox)
    .set({ sent_at: now, next_attempt_at: null, last_error: null })
    .where(eq(outbox.id, id)),
);

/** True while this attempt is the latest, so that a slow attempt can't overwrite the result of a later one. */
const isClaimed = (id: Given<number>, attempt: Given<number>) =>
  and(eq(outbox.id, id), eq(outbox.attempts, attempt), isNull(outbox.sent_at));

const giveUpMail = prepared.write((id: Given<number>, attempt: Given<number>, error: Given<string>) =>
  query.update(outbox).set({ last_error: error, next_attempt_at: null }).where(isClaimed(id, attempt)),
);

const recordError = prepared.write((id: Given<number>, attempt: Given<number>, error: Given<string>) =>
  query.update(outbox).set({ last_error: error }).where(isClaimed(id, attempt)),
);

export function markFailed({ id, attempts }: ClaimedMail, error: string, isFinal: boolean) {
  return isFinal ? giveUpMail(id, attempts, error) : recordError(id, attempts, error);
}

/** Releases a claimed mail without using up an attempt. */
export function postponeMail({ id, attempts }: ClaimedMail, until: number) {
  return write(sql`
    UPDATE ${outbox} SET ${outbox.attempts} = ${outbox.attempts} - 1, ${outbox.next_attempt_at} = ${until}
    WHERE ${outbox.id} = ${id} AND ${outbox.attempts} = ${attempts}`);
}

export const deleteFinishedMails = prepared.write((olderThan: Given<number>) => {
  const finished = query
    .select(pick(outbox, 'id'))
    .from(outbox)
    .where(and(lt(outbox.created_at, olderThan), isNull(outbox.next_attempt_at)))
    .orderBy(outbox.created_at)
    .limit(DELETED_ROWS_MAX);
  return query.delete(outbox).where(inArray(outbox.id, finished));
});

export const listNewestMails = prepared.rows((limit: Given<number>) =>
  query
    .select(pick(outbox, 'recipient', 'subject', 'text', 'html', 'created_at'))
    .from(outbox)
    .orderBy(desc(outbox.id))
    .limit(toRowLimit(limit)),
);
export type OutboxMail = RowOf<typeof listNewestMails>;
