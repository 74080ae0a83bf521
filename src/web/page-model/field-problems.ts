export const FIRST_YEAR = '1970';

export const REQUIRED_MESSAGE = 'This field is required.';
/** Displayed by the server and by src/web/client/auto-save.ts. */
export const TOO_EARLY_MESSAGE = `Enter a date in ${FIRST_YEAR} or later.`;

/** A year that is still being typed is less than 1000. `/v1` accepts such dates, pages do not. */
export function isTooEarlyDate(date: unknown): boolean {
  return typeof date === 'string' && date < FIRST_YEAR;
}
