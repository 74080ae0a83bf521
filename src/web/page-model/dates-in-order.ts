interface Dates {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What is wrong with the days of a filter. */
export function datesInOrder({ from, to }: Dates): Readonly<Record<string, string>> {
  return from && to && from > to ? { to: 'This is before the first day. Choose a later one, or none.' } : {};
}
