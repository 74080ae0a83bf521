import { idempotencyKeys } from '../../schema/cell/idempotency.ts';
import { assertKeyUnclaimed, readFirstRow, readRows, type Statement, write } from '../sql/database.ts';
import type { StoredOutcome, StoredResult } from '../sql/idempotency-key.ts';
import { aliasTable, nameInsertColumns, type SQL, selectColumns, sql } from '../sql/sql.ts';

const excluded = aliasTable(idempotencyKeys, 'excluded');

const storedResultColumns = selectColumns({
  request: idempotencyKeys.request,
  entity: idempotencyKeys.entity,
  status: idempotencyKeys.status,
  answer: idempotencyKeys.answer,
  version: idempotencyKeys.version,
});

export function findStoredResult(id: string, since: number): Statement<StoredResult | null> {
  return readFirstRow(sql`
    SELECT ${storedResultColumns} FROM ${idempotencyKeys} WHERE ${idempotencyKeys.id} = ${id}
      AND ${idempotencyKeys.created_at} > ${since}`);
}

/** Claims the id, or aborts the batch if the id is taken. Replaces an expired claim. */
export function claimIdempotencyKey(
  id: string,
  request: string,
  entity: SQL | string | null,
  now: number,
  since: number,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(idempotencyKeys, 'id', 'request', 'entity', 'created_at')}
      VALUES (${id}, ${request}, ${entity ?? sql`NULL`}, ${now})
      ON CONFLICT (${idempotencyKeys.id}) DO UPDATE
        SET ${idempotencyKeys.request} = ${excluded.request}, ${idempotencyKeys.entity} = ${excluded.entity},
        ${idempotencyKeys.status} = NULL,
        ${idempotencyKeys.answer} = NULL, ${idempotencyKeys.version} = NULL, ${idempotencyKeys.created_at} = ${excluded.created_at}
      WHERE ${idempotencyKeys.created_at} <= ${since}`),
    assertKeyUnclaimed(sql`changes() = 1`),
  ];
}

export function releaseIdempotencyKey(id: string): Statement<void> {
  return write(sql`DELETE FROM ${idempotencyKeys} WHERE ${idempotencyKeys.id} = ${id}`);
}

/** Stores the response with the key. Inserts the key if the operation wrote nothing, and so hasn't claimed it. */
export function saveResponse(
  id: string,
  request: string,
  { status, answer, version }: StoredOutcome,
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(idempotencyKeys, 'id', 'request', 'status', 'answer', 'version', 'created_at')}
    VALUES (${id}, ${request}, ${status}, ${answer}, ${version}, ${now})
    ON CONFLICT (${idempotencyKeys.id}) DO UPDATE SET ${idempotencyKeys.status} = ${excluded.status},
      ${idempotencyKeys.answer} = ${excluded.answer}, ${idempotencyKeys.version} = ${excluded.version}
    WHERE ${idempotencyKeys.request} = ${excluded.request}`);
}

const idColumn = selectColumns({ id: idempotencyKeys.id });

export function hasExpiredIdempotencyKeys(before: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE ${idempotencyKeys.created_at} <= ${before})`;
}

export function deleteExpiredIdempotencyKeys(before: number, limit: number): Statement<{ id: string }[]> {
  return readRows(sql`
    DELETE FROM ${idempotencyKeys} WHERE ${idempotencyKeys.id} IN (
      SELECT ${idempotencyKeys.id} FROM ${idempotencyKeys} WHERE ${idempotencyKeys.created_at} <= ${before}
        ORDER BY ${idempotencyKeys.created_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}
