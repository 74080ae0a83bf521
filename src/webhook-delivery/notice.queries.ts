import { type Mail, queueMailTo } from '../email/outbox.queries.ts';
import type { Statement } from '../kernel/database.ts';
import { sql } from '../kernel/sql.ts';

export function queueMail(address: string, mail: Mail, now: number): Statement<void> {
  return queueMailTo(sql`SELECT ${address} AS email`, mail, now);
}
