import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const h = aliasTable(tasks, 'h');

const FIRST_STEP_IDS = 128;
/** After this many steps, the search covers all ids. A larger shift would lose bits. */
const STEPS_MAX = 9;

/**
 * Uses a binary search to find the last id for which `isBefore` is true, or 0 if there is none. `isBefore` is a
 * condition on `h`.
 */
export function selectLastId(isBefore: SQL): SQL {
  const [low, high] = [sql`iif(is_found, middle, low)`, sql`iif(is_found, high, middle - 1)`];
  // Starts with the newest ids, because most requests ask for recent times. Each step widens the range eightfold.
  const newest = sql`${high} - (${sql.raw(String(FIRST_STEP_IDS))} << 3 * min(step, ${sql.raw(String(STEPS_MAX))}))`;
  const middle = sql`max((${low} + ${high} + 1) / 2, iif(${low} = 0, ${newest}, 0))`;
  // If no task has an id up to `middle`, the last id must be above it.
  const isFound = sql`
    coalesce((SELECT ${isBefore} FROM ${h} WHERE ${h.id} <= ${middle} ORDER BY ${h.id} DESC LIMIT 1), 1)`;
  return sql`(
    WITH RECURSIVE halves (low, high, middle, is_found, step) AS (
      SELECT 0, coalesce((SELECT max(${tasks.id}) FROM ${tasks}), 0), 0, 1, 0
      UNION ALL
      SELECT ${low}, ${high}, ${middle}, ${isFound}, step + 1 FROM halves WHERE low < high)
    SELECT low FROM halves WHERE low = high)`;
}
