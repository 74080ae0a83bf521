export const FIRST_YEAR = '1970';

export const REQUIRED_MESSAGE = 'This field is required.';
/** Both the server and src/web/client/auto-save.ts display this message. */
export const TOO_EARLY_MESSAGE = `Enter a date in ${FIRST_YEAR} or later.`;

/** The API accepts earlier years, but on a page, such a year is usually half typed, as in 0020. */
export function isTooEarlyDate(date: unknown): boolean {
  return typeof date === 'string' && date < FIRST_YEAR;
}
