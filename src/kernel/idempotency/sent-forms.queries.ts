import { sentForms } from '../../schema/directory/sent-forms.ts';
import { assertNotDone, firstRow, type Statement, write } from '../sql/database.ts';
import type { StoredResult } from '../sql/idempotency-key.ts';
import { columns, into, names, type SQL, sql, typed } from '../sql/sql.ts';

const excluded = names(sentForms, 'excluded');

const resultColumns = columns({
  request: sentForms.id,
  entity: sentForms.made,
  status: typed<null>(sql`NULL`),
  answer: typed<null>(sql`NULL`),
  version: typed<null>(sql`NULL`),
});

/** The id also identifies the request, because it is a hash of the whole form. */
export function findSentForm(id: string, since: number): Statement<StoredResult | null> {
  return firstRow(sql`
    SELECT ${resultColumns}
    FROM ${sentForms} WHERE ${sentForms.id} = ${id} AND ${sentForms.created_at} > ${since}`);
}

/** Claims the id, or aborts the batch if it is taken. Replaces an expired claim. */
export function claimSentForm(
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

export function releaseSentForm(id: string): Statement<void> {
  return write(sql`DELETE FROM ${sentForms} WHERE ${sentForms.id} = ${id}`);
}

export function deleteExpiredForms(before: number): Statement<void> {
  return write(sql`DELETE FROM ${sentForms} WHERE ${sentForms.created_at} <= ${before}`);
}
