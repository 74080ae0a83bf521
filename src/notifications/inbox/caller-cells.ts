import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Database } from '../../kernel/sql/database.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';

export type CellDatabase = Pick<Database | GuardedDatabase, 'batch'>;

export function listCallerCells(caller: Caller): number[] {
  return [...new Set([caller.cell, ...caller.cells])];
}

export function queryCallerCells<T>(
  { caller, db, request }: Context,
  query: (db: CellDatabase, cell: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    listCallerCells(caller).map((cell) => query(cell === caller.cell ? db : request.cell(cell), cell)),
  );
}

export async function getWritableCell({ caller, db, request }: Context, cell: number): Promise<CellDatabase> {
  if (cell === caller.cell) return db;
  // Only the caller's own cell can check the credential, so it must reject a revoked credential before
  // anything is written to other cells.
  await db.batch([]);
  return request.cell(cell);
}
