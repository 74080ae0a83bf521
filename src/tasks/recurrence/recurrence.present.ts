import type { RecurrenceRow } from './recurrences.queries.ts';

/** `rule` is null in a row that only links the previous and the next task. */
export function toRecurrence({ rule, mode, days, previous, next }: RecurrenceRow) {
  return mode === null ? null : { rule, mode, days, previousId: previous, nextId: next };
}
