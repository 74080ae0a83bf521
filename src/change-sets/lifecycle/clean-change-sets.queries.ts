import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { changeSetItems, changeSets } from '../../schema/cell/change-sets.ts';

const e = aliasTable(changeSets, 'e');
const g = aliasTable(changeSets, 'g');
const i = aliasTable(changeSetItems, 'i');

/** Condition that a set has items to delete, or is decided and no longer shown. */
const isEnded = (now: number) => sql`${g.expires_at} <= ${now} AND (${g.status} <> 'open' OR ${g.items} > 0)`;

export function hasEndedSets({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${g} INDEXED BY change_sets_ended WHERE ${isEnded(now)})`;
}

const numberColumn = selectColumns({ no: changeSetItems.no });

/** Deletes items of one ended set. Must run before `deleteEndedSet`. */
export function deleteEndedItems(now: number, limit: number): Statement<{ no: number }[]> {
  const set = sql`(SELECT ${g.id} FROM ${g} INDEXED BY change_sets_ended WHERE ${isEnded(now)}
    ORDER BY ${g.expires_at} LIMIT 1)`;
  return readRows(sql`
    DELETE FROM ${changeSetItems} WHERE ${changeSetItems.set_id} = ${set} AND ${changeSetItems.no} IN (
      SELECT ${i.no} FROM ${i} WHERE ${i.set_id} = ${set} LIMIT ${limit})
    RETURNING ${numberColumn}`);
}

/** An open set stays, without items, until the app notices. Otherwise, its next changes would take effect at once. */
export function deleteEndedSet(now: number): Statement<void>[] {
  const isFirst = sql`${g.id} = (SELECT ${e.id} FROM ${e} INDEXED BY change_sets_ended
    WHERE ${e.expires_at} <= ${now} AND (${e.status} <> 'open' OR ${e.items} > 0)
    ORDER BY ${e.expires_at} LIMIT 1) AND NOT EXISTS (SELECT 1 FROM ${i} WHERE ${i.set_id} = ${g.id})`;
  return [
    write(sql`DELETE FROM ${changeSets} AS g WHERE ${isFirst} AND ${g.status} <> 'open'`),
    write(sql`
      UPDATE ${changeSets} AS g SET ${changeSets.items} = 0, ${changeSets.bytes} = 0
      WHERE ${isFirst} AND ${g.status} = 'open'`),
  ];
}
