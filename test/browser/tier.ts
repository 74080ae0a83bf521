export const isLong = process.env.TEST_TIER === 'long';

/** Returns all cases in `npm run test:long`, and only the first in `npm test`. */
export const takeFirstOrAll = <T>(cases: readonly T[]): readonly T[] => (isLong ? cases : cases.slice(0, 1));

/** Returns all cases in `npm run test:long`, and every nth case in `npm test`. */
export const takeEveryNth = <T>(n: number, cases: readonly T[], first = 0): readonly T[] =>
  isLong ? cases : cases.filter((_, index) => index % n === first);

/** Slow files, which only `npm run test:long` runs. */
const LONG_ONLY_FILES: ReadonlySet<string> = new Set([
  'drafts.test.ts',
  'large-project.test.ts',
  'server-crash.test.ts',
  'team-workday.test.ts',
]);

export const isInTier = (file: string): boolean => isLong || !LONG_ONLY_FILES.has(file);
