import { and, count, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readFirstRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import { type Argument, prepared, query } from '../../kernel/sql/prepared.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { webhookDeliveries } from '../../schema/cell/webhooks.ts';

const d = aliasTable(webhookDeliveries, 'd');

export type DeliveryRow = Row<typeof deliveryColumns>;

const deliveryColumns = selectColumns({
  no: d.no,
  message: d.message,
  first_seq: d.first_seq,
  last_seq: d.last_seq,
  status: d.status,
  error: d.error,
  answer: d.answer,
  ms: d.ms,
  attempted_at: d.attempted_at,
});

export function listDeliveries(
  { workspace }: Caller,
  id: number,
  range: PageRange,
): Statement<DeliveryRow[]> {
  return readRows(sql`
    SELECT ${deliveryColumns} FROM ${d}
    WHERE ${d.ws} = ${workspace} AND ${d.webhook} = ${id}
      AND ${isAfter(range, [{ column: d.no, isDescending: true }])}
    ORDER BY ${d.no} DESC ${buildLimit(range)}`);
}

export const countDeliveries = prepared.number(({ workspace }: Argument<Caller>, id: Argument<number>) =>
  query
    .select({ n: count() })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.ws, workspace), eq(webhookDeliveries.webhook, id))),
);

export function findLastTest({ workspace }: Caller, id: number): Statement<DeliveryRow | null> {
  return readFirstRow(sql`
    SELECT ${deliveryColumns} FROM ${d}
    WHERE ${d.ws} = ${workspace} AND ${d.webhook} = ${id} AND ${d.first_seq} IS NULL ORDER BY ${d.no} DESC
      LIMIT 1`);
}
