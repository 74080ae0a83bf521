import { sentForms } from '../../schema/directory/sent-forms.ts';
import { assertKeyUnclaimed, readFirstRow, type Statement, write } from '../sql/database.ts';
import type { StoredResult } from '../sql/idempotency-key.ts';
import { aliasTable, nameInsertColumns, type SQL, selectColumns, sql, withType } from '../sql/sql.ts';

const excluded = aliasTable(sentForms, 'excluded');

const sentFormColumns = selectColumns({
  request: sentForms.id,
  entity: sentForms.made,
  status: withType<null>(sql`NULL`),
  answer: withType<null>(sql`NULL`),
  version: withType<null>(sql`NULL`),
});

export function findSentForm(id: string, since: number): Statement<StoredResult | null> {
  return readFirstRow(sql`
    SELECT ${sentFormColumns}
    FROM ${sentForms} WHERE ${sentForms.id} = ${id} AND ${sentForms.created_at} > ${since}`);
}

export function claimSentForm(
  id: string,
  made: SQL | string | null,
  now: number,
  since: number,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(sentForms, 'id', 'made', 'created_at')} VALUES (${id}, ${made ?? sql`NULL`}, ${now})
      ON CONFLICT (${sentForms.id}) DO UPDATE
        SET ${sentForms.made} = ${excluded.made}, ${sentForms.created_at} = ${excluded.created_at}
      WHERE ${sentForms.created_at} <= ${since}`),
    assertKeyUnclaimed(sql`changes() = 1`),
  ];
}

export function releaseSentForm(id: string): Statement<void> {
  return write(sql`DELETE FROM ${sentForms} WHERE ${sentForms.id} = ${id}`);
}

export function deleteExpiredForms(before: number): Statement<void> {
  return write(sql`DELETE FROM ${sentForms} WHERE ${sentForms.created_at} <= ${before}`);
}
