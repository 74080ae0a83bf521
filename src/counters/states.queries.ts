import { type SQL, sql } from 'drizzle-orm';
import type { TaskSelection } from '../task-model/selection.queries.ts';
import { bordersOfWorkspace } from './borders.queries.ts';

/**
 * Tasks as counters see them, before and after a change: a SELECT with the columns of `places`, each as `old_…` and
 * `new_…`. The old values come from the rows themselves, inside the batch: no earlier read can move a counter.
 * `was` is 0 for tasks that the batch has just made.
 */
export type States = SQL;

/** What decides where a task counts, and what it weighs. */
const places = ['member', 'status', 'priority', 'archived', 'due', 'completed_on', 'hours'] as const;

/** What a change sets, as SQL over the old row `t`; the rest stays. */
export type NewState = { readonly [K in (typeof places)[number]]?: SQL };

/** Tasks of a workspace that the same batch made. */
export function addedStates(ws: number, selection: TaskSelection): States {
  return states(ws, selection, {}, 0);
}

/** Stands before the UPDATE. */
export function changedStates(ws: number, selection: TaskSelection, after: NewState): States {
  return states(ws, selection, after, 1);
}

/** The same states, each beside the borders of the workspace: `past_until`, `week_until`. */
export function besideBorders(ws: number, states: States): States {
  return sql`SELECT * FROM (${bordersOfWorkspace(ws)}) bw CROSS JOIN (${states}) st`;
}

function states(ws: number, { access, where }: TaskSelection, after: NewState, was: 0 | 1): States {
  const old = (name: (typeof places)[number]) => sql`t.${sql.raw(name)}`;
  const become = (name: (typeof places)[number]) => after[name] ?? old(name);
  const columns = places.flatMap((name) => [
    sql`${old(name)} AS ${sql.raw(`old_${name}`)}`,
    sql`${become(name)} AS ${sql.raw(`new_${name}`)}`,
  ]);
  const bucket = sql`${become('archived')} * 15 + ${become('status')} * 3 + ${become('priority')}`;
  return sql`
    SELECT ${sql.raw(String(was))} AS was, t.id AS id, t.ws AS ws, t.project AS project, ${sql.join(columns, sql`, `)},
      t.k AS old_k, ${bucket} AS new_k
    FROM tasks t ${access} WHERE ${where} AND t.ws = ${ws}`;
}
