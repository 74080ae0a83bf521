import { type SQL, sql } from 'drizzle-orm';
import type { ActivityType } from './activity-types.ts';
import type { TaskChanges } from './change.queries.ts';
import { type TaskSelection, tasksIn } from './selection.queries.ts';
import { taskPriorities, taskStatuses } from './tasks.schema.ts';
import { NO_DEADLINE } from './tasks.sql.ts';

/** How the history tells a column's change. `was` and `becomes` are SQL over the old row `t`; null if it omits the value. */
interface Entry {
  type: ActivityType;
  field: string | null;
  was: SQL;
  becomes: SQL;
}

const label = (labels: readonly string[], index: SQL) =>
  sql`(${JSON.stringify(labels)} ->> CAST(${index} AS INTEGER))`;
const userId = (member: SQL) => sql`(SELECT hm.user_id FROM members hm WHERE hm.no = ${member})`;
const deadline = (due: SQL) => sql`nullif(${due}, ${NO_DEADLINE})`;
const asIs = (value: SQL) => value;
const untold = () => sql`NULL`;

/** In the order of the entries of one change. */
const told: [
  column: keyof TaskChanges,
  type: ActivityType,
  field: string | null,
  show: (value: SQL) => SQL,
][] = [
  ['status', 'status_changed', 'status', (value) => label(taskStatuses, value)],
  ['member', 'assignee_changed', 'assignee', userId],
  ['priority', 'priority_changed', 'priority', (value) => label(taskPriorities, value)],
  ['name', 'name_changed', 'name', asIs],
  // A description may hold 100,000 characters; the history says only that it changed.
  ['description', 'description_changed', 'description', untold],
  ['start_date', 'start_date_changed', 'startDate', asIs],
  ['due', 'deadline_changed', 'deadline', deadline],
  ['estimated_hours', 'estimate_changed', 'customEstimatedHours', asIs],
];

function entriesOf(changes: TaskChanges): (Entry & { column: keyof TaskChanges })[] {
  const entries = told.flatMap(([column, type, field, show]) => {
    const value = changes[column];
    if (value === undefined) return [];
    return [{ column, type, field, was: show(sql`t.${sql.raw(column)}`), becomes: show(sql`${value}`) }];
  });
  if (changes.archived === undefined) return entries;
  const type = changes.archived === 1 ? 'archived' : 'unarchived';
  return [...entries, { column: 'archived', type, field: null, was: untold(), becomes: untold() }];
}

/** Whether a change really changes a column of the old row `t`. */
function differs(column: keyof TaskChanges, changes: TaskChanges): SQL {
  return sql`t.${sql.raw(column)} IS NOT ${changes[column] ?? null}`;
}

/** Condition: the change sets a column of the old row `t` to something else. */
export function changesAny(changes: TaskChanges): SQL {
  const columns = Object.keys(changes) as (keyof TaskChanges)[];
  return sql`(${sql.join(
    columns.map((column) => differs(column, changes)),
    sql` OR `,
  )})`;
}

/** Those of the selected tasks that the change really changes. Use it before the UPDATE. */
export function reallyChanged({ access, where }: TaskSelection, changes: TaskChanges): TaskSelection {
  return { access, where: sql`${where} AND ${changesAny(changes)}` };
}

/** How many entries `historyOf` selects for the old row `t`. */
export function historyLength(changes: TaskChanges): SQL {
  const entries = entriesOf(changes);
  if (entries.length === 0) return sql`0`;
  return sql.join(
    entries.map(({ column }) => sql`(${differs(column, changes)})`),
    sql` + `,
  );
}

/**
 * One entry a task and column that really changes, told from the rows themselves; null where nothing of the change is
 * told. Holds before the UPDATE.
 */
export function historyOf(selection: TaskSelection, changes: TaskChanges): SQL | null {
  const entries = entriesOf(changes);
  if (entries.length === 0) return null;
  const choose = (part: (entry: (typeof entries)[number]) => SQL) =>
    sql`CASE d.key ${sql.join(
      entries.map((entry, index) => sql`WHEN ${sql.raw(String(index))} THEN ${part(entry)}`),
      sql` `,
    )} END`;
  const drafts = JSON.stringify(entries.map(({ type, field }) => [type, field]));
  return sql`
      SELECT t.ws AS ws, t.id AS task, d.value ->> 0 AS type, d.value ->> 1 AS field,
        ${choose(({ was }) => was)} AS from_value, ${choose(({ becomes }) => becomes)} AS to_value
      FROM json_each(${drafts}) d CROSS JOIN ${tasksIn(selection)} AND ${choose(({ column }) => differs(column, changes))}
      ORDER BY t.id, d.key`;
}
