import { type SQL, sql } from 'drizzle-orm';
import { assertNotDone, firstRow, rows, type Statement, write } from '../kernel/database.ts';
import type { StoredResult } from '../kernel/idempotency-key.ts';

/** The stored result of this id, if it is newer than `since`. */
export function findDone(id: string, since: number): Statement<StoredResult | null> {
  return firstRow<StoredResult>(sql`
    SELECT request, entity, status, answer FROM idempotency_keys WHERE id = ${id} AND created_at > ${since}`);
}

/** Takes the id, or undoes the batch if it is taken. An outdated id is taken over. */
export function claim(
  id: string,
  request: string,
  entity: SQL | null,
  now: number,
  since: number,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO idempotency_keys (id, request, entity, created_at)
      VALUES (${id}, ${request}, ${entity ?? sql`NULL`}, ${now})
      ON CONFLICT (id) DO UPDATE SET request = excluded.request, entity = excluded.entity, status = NULL,
        answer = NULL, created_at = excluded.created_at
      WHERE created_at <= ${since}`),
    assertNotDone(sql`changes() = 1`),
  ];
}

/** Stores the answer, and the row too if the work wrote none under the id. */
export function saveAnswer(
  id: string,
  request: string,
  status: number,
  answer: string | null,
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO idempotency_keys (id, request, status, answer, created_at)
    VALUES (${id}, ${request}, ${status}, ${answer}, ${now})
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, answer = excluded.answer
    WHERE request = excluded.request`);
}

/** Answers the deleted rows, so that the caller knows whether there may be more. */
export function deleteOutdated(before: number, limit: number): Statement<{ id: string }[]> {
  return rows<{ id: string }>(sql`
    DELETE FROM idempotency_keys WHERE id IN (
      SELECT id FROM idempotency_keys WHERE created_at <= ${before} ORDER BY created_at LIMIT ${limit})
    RETURNING id`);
}
