import { idempotencyKeys } from '../../schema/cell/idempotency.ts';
import { assertNotDone, firstRow, rows, type Statement, write } from '../sql/database.ts';
import type { KeptOutcome, StoredResult } from '../sql/idempotency-key.ts';
import { columns, into, names, type SQL, sql } from '../sql/sql.ts';

const excluded = names(idempotencyKeys, 'excluded');

const storedResultColumns = columns({
  request: idempotencyKeys.request,
  entity: idempotencyKeys.entity,
  status: idempotencyKeys.status,
  answer: idempotencyKeys.answer,
  version: idempotencyKeys.version,
});

export function findStoredResult(id: string, since: number): Statement<StoredResult | null> {
  return firstRow(sql`
    SELECT ${storedResultColumns} FROM ${idempotencyKeys} WHERE ${idempotencyKeys.id} = ${id}
      AND ${idempotencyKeys.created_at} > ${since}`);
}

/** Claims the id, or aborts the batch if it is taken. Replaces an expired claim. */
export function claimKey(
  id: string,
  request: string,
  entity: SQL | string | null,
  now: number,
  since: number,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${into(idempotencyKeys, 'id', 'request', 'entity', 'created_at')}
      VALUES (${id}, ${request}, ${entity ?? sql`NULL`}, ${now})
      ON CONFLICT (${idempotencyKeys.id}) DO UPDATE
        SET ${idempotencyKeys.request} = ${excluded.request}, ${idempotencyKeys.entity} = ${excluded.entity},
        ${idempotencyKeys.status} = NULL,
        ${idempotencyKeys.answer} = NULL, ${idempotencyKeys.version} = NULL, ${idempotencyKeys.created_at} = ${excluded.created_at}
      WHERE ${idempotencyKeys.created_at} <= ${since}`),
    assertNotDone(sql`changes() = 1`),
  ];
}

export function releaseKey(id: string): Statement<void> {
  return write(sql`DELETE FROM ${idempotencyKeys} WHERE ${idempotencyKeys.id} = ${id}`);
}

/** Stores the response. Inserts the row if the operation wrote nothing, and so didn't claim the key. */
export function saveResponse(
  id: string,
  request: string,
  { status, answer, version }: KeptOutcome,
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO ${into(idempotencyKeys, 'id', 'request', 'status', 'answer', 'version', 'created_at')}
    VALUES (${id}, ${request}, ${status}, ${answer}, ${version}, ${now})
    ON CONFLICT (${idempotencyKeys.id}) DO UPDATE SET ${idempotencyKeys.status} = ${excluded.status},
      ${idempotencyKeys.answer} = ${excluded.answer}, ${idempotencyKeys.version} = ${excluded.version}
    WHERE ${idempotencyKeys.request} = ${excluded.request}`);
}

const idColumn = columns({ id: idempotencyKeys.id });

export function hasExpiredKeys(before: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE ${idempotencyKeys.created_at} <= ${before})`;
}

/** Returns the deleted rows. If there are `limit` rows, more might remain. */
export function deleteExpiredKeys(before: number, limit: number): Statement<{ id: string }[]> {
  return rows(sql`
    DELETE FROM ${idempotencyKeys} WHERE ${idempotencyKeys.id} IN (
      SELECT ${idempotencyKeys.id} FROM ${idempotencyKeys} WHERE ${idempotencyKeys.created_at} <= ${before}
        ORDER BY ${idempotencyKeys.created_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}
