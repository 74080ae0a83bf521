import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { outbox } from '../../schema/directory/outbox.ts';

const o = names(outbox, 'o');

const unsentColumns = columns({
  id: o.id,
  recipient: o.recipient,
  subject: o.subject,
  attempts: o.attempts,
  /** Null if delivery was abandoned. */
  next_attempt_at: o.next_attempt_at,
  last_error: o.last_error,
});
export type UnsentMail = Row<typeof unsentColumns>;

/** Lists mail that couldn't be sent so far, abandoned mail first. */
export function listUnsentMails(limit: number): Statement<UnsentMail[]> {
  return rows(sql`
    SELECT ${unsentColumns} FROM ${o} WHERE ${o.sent_at} IS NULL AND ${o.attempts} > 0
      ORDER BY ${o.next_attempt_at} IS NOT NULL, ${o.id} DESC LIMIT ${limit}`);
}

const idColumn = columns({ id: outbox.id });

/** Queues abandoned mail again, with as many attempts as new mail. If `id` is null, queues all of it. */
export function requeueGivenUpMails(id: number | null): Statement<Row<typeof idColumn>[]> {
  return rows(sql`
    UPDATE ${outbox} SET ${outbox.attempts} = 0, ${outbox.next_attempt_at} = 0
    WHERE ${outbox.sent_at} IS NULL AND ${outbox.next_attempt_at} IS NULL AND (${id} IS NULL OR ${outbox.id} = ${id})
    RETURNING ${idColumn}`);
}
