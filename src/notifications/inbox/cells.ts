import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Database } from '../../kernel/sql/database.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';

export type CellDatabase = Pick<Database | GuardedDatabase, 'batch'>;

/** The cells that may hold notifications of the caller, their own cell first. */
export function cellsOf(caller: Caller): number[] {
  return [...new Set([caller.cell, ...caller.cells])];
}

/** Asks every cell of the caller in parallel, which is one trip. */
export function readCells<T>(
  { caller, db, request }: Context,
  ask: (db: CellDatabase, cell: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    cellsOf(caller).map((cell) => ask(cell === caller.cell ? db : request.cell(cell), cell)),
  );
}

/** The database to write to in that cell, with the credential checked. */
export async function cellForWriting({ caller, db, request }: Context, cell: number): Promise<CellDatabase> {
  if (cell === caller.cell) return db;
  // Another cell cannot check the credential: one that was revoked has to fail here, before anything is written.
  await db.batch([]);
  return request.cell(cell);
}
