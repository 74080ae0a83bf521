import { type Names, type SQL, sql } from '../../kernel/sql/sql.ts';
import type { events } from '../../schema/cell/events.ts';

/** Matches the index `events_by_task`. The task's row stores the beginning of the history (`first_event`). */
export function isAfterFirstEvent({ entries, type }: Pick<Names<typeof events>, 'entries' | 'type'>): SQL {
  return sql`${entries} > 0 AND ${type} NOT IN ('task.created', 'task.duplicated')`;
}
