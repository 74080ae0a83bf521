/** Deadlines of the seeded tasks lie around this day, which the requests call today; those before it are summed. */
export const PAST_CUTOFF = '2026-11-20';
/** Those before the Monday after it are summed as well. */
export const WEEK_CUTOFF = '2026-11-23';
