import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Database } from '../../kernel/sql/database.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';

export type CellDatabase = Pick<Database | GuardedDatabase, 'batch'>;

export function listCallerCells(caller: Caller): number[] {
  return [...new Set([caller.cell, ...caller.cells])];
}

/** Queries all of the caller's cells in parallel, which counts as one trip. */
export function readCells<T>(
  { caller, db, request }: Context,
  ask: (db: CellDatabase, cell: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    listCallerCells(caller).map((cell) => ask(cell === caller.cell ? db : request.cell(cell), cell)),
  );
}

export async function cellForWriting({ caller, db, request }: Context, cell: number): Promise<CellDatabase> {
  if (cell === caller.cell) return db;
  // Other cells can't check the credential, so a revoked one must fail here, before anything is written.
  await db.batch([]);
  return request.cell(cell);
}
