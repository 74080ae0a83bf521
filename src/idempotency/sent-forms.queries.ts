import { assertNotDone, firstRow, type Statement, write } from '../kernel/database.ts';
import type { StoredResult } from '../kernel/idempotency-key.ts';
import { into, names, type SQL, sql } from '../kernel/sql.ts';
import { sentForms } from './sent-forms.sql.ts';

const excluded = names(sentForms, 'excluded');

/** The id holds all that was sent, so it stands for the request. */
export function findSent(id: string, since: number): Statement<StoredResult | null> {
  return firstRow<StoredResult>(sql`
    SELECT ${sentForms.id} AS request, ${sentForms.made} AS entity, NULL AS status, NULL AS answer
    FROM ${sentForms} WHERE ${sentForms.id} = ${id} AND ${sentForms.created_at} > ${since}`);
}

/** Takes the id, or undoes the batch if it is taken. An outdated id is taken over. */
export function claimSent(
  id: string,
  made: SQL | string | null,
  now: number,
  since: number,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${into(sentForms, 'id', 'made', 'created_at')} VALUES (${id}, ${made ?? sql`NULL`}, ${now})
      ON CONFLICT (${sentForms.id}) DO UPDATE
        SET ${sentForms.made} = ${excluded.made}, ${sentForms.created_at} = ${excluded.created_at}
      WHERE ${sentForms.created_at} <= ${since}`),
    assertNotDone(sql`changes() = 1`),
  ];
}

export function deleteOutdatedForms(before: number): Statement<void> {
  return write(sql`DELETE FROM ${sentForms} WHERE ${sentForms.created_at} <= ${before}`);
}
