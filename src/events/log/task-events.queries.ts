import { type AliasedTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import type { events } from '../../schema/cell/events.ts';

/** The condition of the `events_by_task` index, which leaves out the first event of each task (`tasks.first_event`). */
export function isAfterFirstEvent({
  entries,
  type,
}: Pick<AliasedTable<typeof events>, 'entries' | 'type'>): SQL {
  return sql`${entries} > 0 AND ${type} NOT IN ('task.created', 'task.duplicated')`;
}
