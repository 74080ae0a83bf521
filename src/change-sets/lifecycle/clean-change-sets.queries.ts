import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { changeSetItems, changeSets } from '../../schema/cell/change-sets.ts';

const e = aliasTable(changeSets, 'e');
const cs = aliasTable(changeSets, 'cs');
const i = aliasTable(changeSetItems, 'i');

const isEnded = (now: number) =>
  sql`${cs.expires_at} <= ${now} AND (${cs.status} <> 'open' OR ${cs.items} > 0)`;

/** The lifetime of a token. If a set expired longer ago than this, no valid token can add to it. */
const TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60_000;
const isAbandoned = (now: number) =>
  sql`${cs.expires_at} <= ${now - TOKEN_LIFETIME_MS} AND ${cs.status} = 'open' AND ${cs.items} = 0`;

export function hasEndedSets({ now }: { now: number }): SQL {
  return sql`(EXISTS (SELECT 1 FROM ${cs} INDEXED BY change_sets_ended WHERE ${isEnded(now)})
    OR EXISTS (SELECT 1 FROM ${cs} INDEXED BY change_sets_abandoned WHERE ${isAbandoned(now)}))`;
}

const idColumn = selectColumns({ id: cs.id });

export function findEndedSet(now: number): Statement<{ id: number }[]> {
  return readRows(sql`SELECT ${idColumn} FROM ${cs} INDEXED BY change_sets_ended WHERE ${isEnded(now)}
    ORDER BY ${cs.expires_at} LIMIT 1`);
}

/** Must run before `deleteEndedSet`. */
export function deleteEndedSetItems(now: number, limit: number): Statement<void> {
  const set = sql`(SELECT ${cs.id} FROM ${cs} INDEXED BY change_sets_ended WHERE ${isEnded(now)}
    ORDER BY ${cs.expires_at} LIMIT 1)`;
  return write(sql`
    DELETE FROM ${changeSetItems} WHERE ${changeSetItems.set_id} = ${set} AND ${changeSetItems.no} IN (
      SELECT ${i.no} FROM ${i} WHERE ${i.set_id} = ${set} LIMIT ${limit})`);
}

/**
 * Empties an open set instead of deleting it, because its app may still have a token. Without the set, the app's next
 * changes would take effect immediately.
 */
export function deleteEndedSet(now: number): Statement<void>[] {
  const isFirst = sql`${cs.id} = (SELECT ${e.id} FROM ${e} INDEXED BY change_sets_ended
    WHERE ${e.expires_at} <= ${now} AND (${e.status} <> 'open' OR ${e.items} > 0)
    ORDER BY ${e.expires_at} LIMIT 1) AND NOT EXISTS (SELECT 1 FROM ${i} WHERE ${i.set_id} = ${cs.id})`;
  return [
    write(sql`DELETE FROM ${changeSets} AS cs WHERE ${isFirst} AND ${cs.status} <> 'open'`),
    write(sql`
      UPDATE ${changeSets} AS cs SET ${changeSets.items} = 0, ${changeSets.bytes} = 0
      WHERE ${isFirst} AND ${cs.status} = 'open'`),
  ];
}

export function deleteAbandonedSets(now: number, limit: number): Statement<{ id: number }[]> {
  return readRows(sql`
    DELETE FROM ${changeSets} WHERE ${changeSets.id} IN (
      SELECT ${cs.id} FROM ${cs} INDEXED BY change_sets_abandoned WHERE ${isAbandoned(now)}
      ORDER BY ${cs.expires_at} LIMIT ${limit})
    RETURNING ${selectColumns({ id: changeSets.id })}`);
}
