import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm run test:long` runs every suite at full size; CONTRIBUTING lists what `npm test` thins. */
    isLong?: boolean;
  }
}

export const isLong = inject('isLong') ?? false;

/** Every nth case in `npm test`, always the same ones; all of them in `npm run test:long`. */
export function everyNth<T>(n: number, cases: readonly T[]): readonly T[] {
  return isLong ? cases : cases.filter((_, index) => index % n === 0);
}
