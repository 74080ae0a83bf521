/** Date fields of pages begin here. */
export const FIRST_YEAR = '1970';
/** Said by the server and by src/web/client/auto-save.ts. */
export const TOO_EARLY = `Enter a date from ${FIRST_YEAR} or later.`;

/** A year that is typed by keyboard has one digit before it has four: `/v1` takes such a date, pages do not. */
export function isTooEarly(date: unknown): boolean {
  return typeof date === 'string' && date < FIRST_YEAR;
}
