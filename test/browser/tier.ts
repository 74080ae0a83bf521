export const isLong = process.env.TEST_TIER === 'long';

/** Returns all cases in `npm run test:long`, and only the first in `npm test`. */
export const firstOrAll = <T>(cases: readonly T[]): readonly T[] => (isLong ? cases : cases.slice(0, 1));

/** Returns all cases in `npm run test:long`, and every nth case in `npm test`, always the same cases. */
export const everyNth = <T>(n: number, cases: readonly T[], first = 0): readonly T[] =>
  isLong ? cases : cases.filter((_, index) => index % n === first);

/** Slow files, which run only in `npm run test:long`. */
const longOnly: ReadonlySet<string> = new Set([
  'drafts.test.ts',
  'large-project.test.ts',
  'server-gone.test.ts',
  'team-day.test.ts',
]);

/** Returns whether a file in test/browser or test/clients runs in this tier. */
export const isInTier = (file: string): boolean => isLong || !longOnly.has(file);
