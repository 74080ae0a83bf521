const STATEMENTS_MAX = 50;

/** Applying a change set makes changes of every kind in one transaction. Cloudflare allows 1,000 statements. */
const exceptions: readonly (readonly [RegExp, number])[] = [
  [/^applyChangeSet$|^\/app\/[^/]+\/changes\/\d+\/apply$/, 80],
];

/** @param name the name of an operation, or the path of a request. */
export function getStatementLimit(name: string): number {
  return exceptions.find(([pattern]) => pattern.test(name))?.[1] ?? STATEMENTS_MAX;
}
