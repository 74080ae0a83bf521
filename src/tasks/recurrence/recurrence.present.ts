import type { RecurrenceRow } from './recurrences.queries.ts';

/** Returns null if the task has no rule. A row without a rule only links the task to the previous or next one. */
export function toRecurrence({ rule, mode, days, previous, next }: RecurrenceRow) {
  return mode === null ? null : { rule, mode, days, previousId: previous, nextId: next };
}
