import type { RecurrenceRow } from './recurrences.queries.ts';

/** `rule` is null if the row only links the task to the previous or next one. */
export function toRecurrence({ rule, mode, days, previous, next }: RecurrenceRow) {
  return mode === null ? null : { rule, mode, days, previousId: previous, nextId: next };
}
