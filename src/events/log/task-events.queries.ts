import { type Names, type SQL, sql } from '../../kernel/sql/sql.ts';
import type { events } from '../../schema/cell/events.ts';

/**
 * Condition on an event of a task: `events_by_task` holds it, which has the terms of this condition. It holds the whole
 * history but for its beginning, which the row of the task names (`first_event`).
 */
export function isBehindBeginning({ entries, type }: Pick<Names<typeof events>, 'entries' | 'type'>): SQL {
  return sql`${entries} > 0 AND ${type} NOT IN ('task.created', 'task.duplicated')`;
}
