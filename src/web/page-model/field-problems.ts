/** The first year that date fields accept. */
export const FIRST_YEAR = '1970';

export const REQUIRED = 'This field is required.';
/** Shown by the server and by src/web/client/auto-save.ts. */
export const TOO_EARLY = `Enter a date in ${FIRST_YEAR} or later.`;

/** A year being typed has one digit before it has four. `/v1` accepts such dates, pages do not. */
export function isTooEarly(date: unknown): boolean {
  return typeof date === 'string' && date < FIRST_YEAR;
}
