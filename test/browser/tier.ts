/** All cases in `npm run test:long`, the first alone in `npm test`. */
export const oneOf = <T>(cases: readonly T[]): readonly T[] =>
  process.env.TEST_TIER === 'long' ? cases : cases.slice(0, 1);
