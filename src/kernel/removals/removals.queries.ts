import { removals } from '../../schema/cell/removals.ts';
import { assertUnchanged, readFirstRow, readRows, type Statement, write } from '../sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, selectColumns, sql } from '../sql/sql.ts';
import { UNDO_MS } from './undo-window.ts';

const r = aliasTable(removals, 'r');
const excluded = aliasTable(removals, 'excluded');

export interface Removal {
  readonly ws: number;
  readonly kind: (typeof removals.$inferSelect)['kind'];
  readonly entity: number;
  readonly userId: string;
}

/** `removed` selects the removed rows as JSON in the column `rows`. Stores nothing if `rows` is null. */
export function saveRemoval(
  { ws, kind, entity, userId }: Removal,
  removed: SQL,
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(removals, 'ws', 'kind', 'entity', 'user_id', 'rows', 'removed_at')}
    SELECT ${ws}, ${kind}, ${entity}, ${userId}, k.rows, ${now} FROM (${removed}) k WHERE k.rows IS NOT NULL
    ON CONFLICT (${removals.ws}, ${removals.kind}, ${removals.entity}) DO UPDATE SET
      ${removals.user_id} = ${excluded.user_id}, ${removals.rows} = ${excluded.rows},
      ${removals.removed_at} = ${excluded.removed_at}`);
}

function isOwnRemoval({ ws, kind, entity, userId }: Removal, now: number): SQL {
  return sql`${r.ws} = ${ws} AND ${r.kind} = ${kind} AND ${r.entity} = ${entity}
    AND ${r.user_id} = ${userId} AND ${r.removed_at} > ${now - UNDO_MS}`;
}

const rowsColumn = selectColumns({ rows: r.rows });

export function selectRemovedRows(removal: Removal, now: number) {
  return sql`SELECT ${rowsColumn} FROM ${r} WHERE ${isOwnRemoval(removal, now)}`;
}

export function findRemoval(removal: Removal, now: number): Statement<{ rows: string } | null> {
  return readFirstRow(selectRemovedRows(removal, now));
}

/** Aborts the batch if the removal was already undone, has expired, or is another person's. */
export function deleteUndoneRemoval(removal: Removal, now: number): Statement<void>[] {
  return [
    write(sql`DELETE FROM ${removals} AS r WHERE ${isOwnRemoval(removal, now)}`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

const entityColumn = selectColumns({ entity: removals.entity });

export function hasExpiredRemovals({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${r} WHERE ${r.removed_at} <= ${now - UNDO_MS})`;
}

export function deleteExpiredRemovals(now: number, limit: number): Statement<{ entity: number }[]> {
  return readRows(sql`
    DELETE FROM ${removals} WHERE (${removals.ws}, ${removals.kind}, ${removals.entity}) IN (
      SELECT ${r.ws}, ${r.kind}, ${r.entity} FROM ${r} WHERE ${r.removed_at} <= ${now - UNDO_MS}
      ORDER BY ${r.removed_at} LIMIT ${limit})
    RETURNING ${entityColumn}`);
}
