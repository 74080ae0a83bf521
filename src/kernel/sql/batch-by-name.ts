import type { BatchDatabase, Results, Statement } from './database.ts';

export type NamedStatements = Readonly<Record<string, Statement | readonly Statement[] | null>>;

type ResultOf<S> = S extends null
  ? null
  : S extends readonly Statement[]
    ? Results<S>
    : S extends Statement<infer T>
      ? T
      : never;

export type NamedResults<S extends NamedStatements> = { [K in keyof S]: ResultOf<S[K]> };

/** Runs the statements as one batch, in order. A null statement is skipped, and its result is null. */
export async function batchByName<const S extends NamedStatements>(
  db: BatchDatabase,
  statements: S,
): Promise<NamedResults<S>> {
  const results: unknown[] = await db.batch(Object.values(statements).flatMap((each) => each ?? []));
  return Object.fromEntries(
    Object.entries(statements).map(([name, each]) => {
      if (each === null) return [name, null];
      return [name, Array.isArray(each) ? results.splice(0, each.length) : results.shift()];
    }),
  ) as NamedResults<S>;
}
