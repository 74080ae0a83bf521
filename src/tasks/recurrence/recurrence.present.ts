import type { RecurrenceRow } from './recurrences.queries.ts';

/** A row without a rule only links other tasks. */
export function toRecurrence({ rule, mode, days, previous, next }: RecurrenceRow) {
  return mode === null ? null : { rule, mode, days, previousId: previous, nextId: next };
}
