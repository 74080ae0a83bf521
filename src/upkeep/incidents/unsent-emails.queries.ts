import { readRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { outbox } from '../../schema/directory/outbox.ts';

const o = aliasTable(outbox, 'o');

const unsentColumns = selectColumns({
  id: o.id,
  recipient: o.recipient,
  subject: o.subject,
  attempts: o.attempts,
  /** Null if delivery was abandoned. */
  next_attempt_at: o.next_attempt_at,
  last_error: o.last_error,
});
export type UnsentMail = Row<typeof unsentColumns>;

export function listFailedEmails(limit: number): Statement<UnsentMail[]> {
  return readRows(sql`
    SELECT ${unsentColumns} FROM ${o} WHERE ${o.sent_at} IS NULL AND ${o.attempts} > 0
      ORDER BY ${o.next_attempt_at} IS NOT NULL, ${o.id} DESC LIMIT ${limit}`);
}

const isAbandoned = sql`${o.sent_at} IS NULL AND ${o.next_attempt_at} IS NULL`;

const abandonedColumns = selectColumns({
  id: o.id,
  is_notification: withType<0 | 1>(sql`${o.unsubscribe} IS NOT NULL`),
  attempts: o.attempts,
  created_at: o.created_at,
  last_error: o.last_error,
});
export type AbandonedMail = Row<typeof abandonedColumns>;

/** Newest first. Omits recipients and subjects, which are personal data. */
export function listAbandonedEmails(limit: number): Statement<AbandonedMail[]> {
  return readRows(sql`
    SELECT ${abandonedColumns} FROM ${o} INDEXED BY outbox_given_up WHERE ${isAbandoned}
    ORDER BY ${o.created_at} DESC LIMIT ${limit}`);
}

const backlogColumns = selectColumns({
  emails: withType<number>(sql`count(*)`),
  oldest: withType<number | null>(sql`min(q.at)`),
});
export type EmailBacklog = Row<typeof backlogColumns>;

function countEmails(times: SQL): Statement<EmailBacklog> {
  return readRow(sql`SELECT ${backlogColumns} FROM (${times}) q`);
}

export function countAbandonedEmails(limit: number): Statement<EmailBacklog> {
  return countEmails(sql`
    SELECT ${o.created_at} AS at FROM ${o} INDEXED BY outbox_given_up WHERE ${isAbandoned}
    ORDER BY ${o.created_at} LIMIT ${limit}`);
}

export function countOverdueEmails(dueUntil: number, limit: number): Statement<EmailBacklog> {
  return countEmails(sql`
    SELECT ${o.next_attempt_at} AS at FROM ${o} INDEXED BY outbox_due
    WHERE ${o.next_attempt_at} IS NOT NULL AND ${o.next_attempt_at} <= ${dueUntil}
    ORDER BY ${o.next_attempt_at} LIMIT ${limit}`);
}

const idColumn = selectColumns({ id: outbox.id });

/** Gives abandoned emails as many attempts as new emails. If `id` is null, requeues the oldest, up to `limit`. */
export function requeueAbandonedEmails(id: number | null, limit = -1): Statement<Row<typeof idColumn>[]> {
  return readRows(sql`
    UPDATE ${outbox} SET ${outbox.attempts} = 0, ${outbox.next_attempt_at} = 0
    WHERE ${outbox.id} IN (
      SELECT ${o.id} FROM ${o} INDEXED BY outbox_given_up
      WHERE ${isAbandoned} AND (${id} IS NULL OR ${o.id} = ${id}) ORDER BY ${o.created_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}
