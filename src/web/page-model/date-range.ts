import { isTooEarly, TOO_EARLY } from './first-year.ts';

interface Dates {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What is wrong with the days of a filter. */
export function findDateProblems({ from, to }: Dates): Readonly<Record<string, string>> {
  if (isTooEarly(from) || isTooEarly(to)) {
    return { ...(isTooEarly(from) && { from: TOO_EARLY }), ...(isTooEarly(to) && { to: TOO_EARLY }) };
  }
  return from && to && from > to ? { to: 'This is before the first day. Choose a later one, or none.' } : {};
}
