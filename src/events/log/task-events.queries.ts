import { type Names, type SQL, sql } from '../../kernel/sql/sql.ts';
import type { events } from '../../schema/cell/events.ts';

/**
 * Uses the terms of the index `events_by_task`, which contains the whole history except its beginning. The task's row
 * stores that (`first_event`).
 */
export function isBehindBeginning({ entries, type }: Pick<Names<typeof events>, 'entries' | 'type'>): SQL {
  return sql`${entries} > 0 AND ${type} NOT IN ('task.created', 'task.duplicated')`;
}
