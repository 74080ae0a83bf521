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

/** The id holds all that was sent, so it stands for the request. */
export function findSent(id: string, since: number): Statement<StoredResult | null> {
  return firstRow(sql`
    SELECT ${resultColumns}
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

/** Frees an id whose work was undone. */
export function releaseSent(id: string): Statement<void> {
  return write(sql`DELETE FROM ${sentForms} WHERE ${sentForms.id} = ${id}`);
}

export function deleteOutdatedForms(before: number): Statement<void> {
  return write(sql`DELETE FROM ${sentForms} WHERE ${sentForms.created_at} <= ${before}`);
}
