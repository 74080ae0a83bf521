import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';

export function listCallerCells(caller: Caller): number[] {
  return [...new Set([caller.cell, ...caller.cells])];
}

export function queryCallerCells<T>(
  { caller, db, request }: Context,
  query: (db: BatchDatabase, cell: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    listCallerCells(caller).map((cell) => query(cell === caller.cell ? db : request.cell(cell), cell)),
  );
}

export async function getWritableCell(
  { caller, db, request }: Context,
  cell: number,
): Promise<BatchDatabase> {
  if (cell === caller.cell) return db;
  // Only the caller's own cell can check the credential, so it must reject a revoked credential before
  // anything is written to other cells.
  await db.batch([]);
  return request.cell(cell);
}
