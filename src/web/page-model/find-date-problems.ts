import { isTooEarlyDate, TOO_EARLY_MESSAGE } from './field-problems.ts';

interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function findDateProblems({ from, to }: DateRange): Readonly<Record<string, string>> {
  if (isTooEarlyDate(from) || isTooEarlyDate(to)) {
    return {
      ...(isTooEarlyDate(from) && { from: TOO_EARLY_MESSAGE }),
      ...(isTooEarlyDate(to) && { to: TOO_EARLY_MESSAGE }),
    };
  }
  return from && to && from > to ? { to: 'The end date must be on or after the start date.' } : {};
}
