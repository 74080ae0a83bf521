import { isTooEarly, TOO_EARLY } from './field-problems.ts';

interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function findDateProblems({ from, to }: DateRange): Readonly<Record<string, string>> {
  if (isTooEarly(from) || isTooEarly(to)) {
    return { ...(isTooEarly(from) && { from: TOO_EARLY }), ...(isTooEarly(to) && { to: TOO_EARLY }) };
  }
  return from && to && from > to ? { to: 'The end date must be on or after the start date.' } : {};
}
