export const FIRST_YEAR = '1970';

export const REQUIRED_MESSAGE = 'This field is required.';
/** Displayed by the server and by src/web/client/auto-save.ts. */
export const TOO_EARLY_MESSAGE = `Enter a date in ${FIRST_YEAR} or later.`;

/** A half-typed year is less than 1000. The API accepts such dates, but pages don't. */
export function isTooEarlyDate(date: unknown): boolean {
  return typeof date === 'string' && date < FIRST_YEAR;
}
