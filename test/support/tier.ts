import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * `npm run test:long` sets this to run every suite at full size. CONTRIBUTING lists the cases that `npm test`
     * skips.
     */
    isLong?: boolean;
  }
}

export const isLong = inject('isLong') ?? false;

/** Returns every nth case in `npm test`, and all cases in `npm run test:long`. */
export function pickEveryNth<T>(n: number, cases: readonly T[]): readonly T[] {
  return isLong ? cases : cases.filter((_, index) => index % n === 0);
}
