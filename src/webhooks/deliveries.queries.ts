import type { Caller } from '../kernel/access.ts';
import { firstRow, number, rows, type Statement } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { names, sql } from '../kernel/sql.ts';
import { webhookDeliveries } from './webhooks.sql.ts';

const d = names(webhookDeliveries, 'd');

export interface DeliveryRow {
  no: number;
  message: string;
  firstSeq: number | null;
  lastSeq: number | null;
  status: number | null;
  error: string | null;
  answer: string | null;
  ms: number;
  attemptedAt: number;
}

const deliveryColumns = sql`
  ${d.no} AS no, ${d.message} AS message, ${d.first_seq} AS firstSeq, ${d.last_seq} AS lastSeq,
    ${d.status} AS status, ${d.error} AS error,
  ${d.answer} AS answer, ${d.ms} AS ms, ${d.attempted_at} AS attemptedAt`;

export function listDeliveries({ workspace }: Caller, id: number, range: Range): Statement<DeliveryRow[]> {
  return rows<DeliveryRow>(sql`
    SELECT ${deliveryColumns} FROM ${d}
    WHERE ${d.ws} = ${workspace} AND ${d.webhook} = ${id}
      AND ${isAfter(range, [{ column: d.no, isDescending: true }])}
    ORDER BY ${d.no} DESC ${limitOf(range)}`);
}

export function countDeliveries({ workspace }: Caller, id: number): Statement<number> {
  return number(sql`
    SELECT count(*) AS n FROM ${d} WHERE ${d.ws} = ${workspace} AND ${d.webhook} = ${id}`);
}

export function findLastTest({ workspace }: Caller, id: number): Statement<DeliveryRow | null> {
  return firstRow<DeliveryRow>(sql`
    SELECT ${deliveryColumns} FROM ${d}
    WHERE ${d.ws} = ${workspace} AND ${d.webhook} = ${id} AND ${d.first_seq} IS NULL ORDER BY ${d.no} DESC
      LIMIT 1`);
}
