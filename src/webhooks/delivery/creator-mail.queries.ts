import { sql } from '../../kernel/sql/sql.ts';
import { type Mail, queueMailTo } from '../../mail/outbox.queries.ts';

export function queueMailToAddress(address: string, mail: Mail, now: number) {
  return queueMailTo(sql`SELECT ${address} AS email`, mail, now);
}
