import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { countedColumns, type NewState } from '../model/change.queries.ts';
import type { OfTask, TaskSelection } from '../model/selection.queries.ts';
import { cutoffsOfWorkspace } from './cutoffs.queries.ts';

const t = names(tasks, 't');

/**
 * Tasks as counters see them, before and after a change: a SELECT with the columns of `countedColumns`, each as `old_…` and
 * `new_…`. The old values come from the rows themselves, inside the batch: no earlier read can move a counter.
 * `was` is 0 for tasks that the batch has just made.
 */
export type States = SQL;

/** The columns of the old or the new side. */
export type Side = Readonly<Record<(typeof countedColumns)[number] | 'bucket', SQL>>;

/** @param alias the name of the states in the statement. */
export function sideOf(alias: string, side: 'old' | 'new'): Side {
  const columns = [...countedColumns, 'bucket'].map((name) => [name, sql.raw(`${alias}.${side}_${name}`)]);
  return Object.fromEntries(columns);
}

/** Whether counters add states or subtract them. */
export type Sign = 1 | -1;

/** Tasks of a workspace that the same batch inserted. */
export function addedStates(ws: number, selection: TaskSelection): States {
  return states(ws, selection, () => ({}), 0);
}

/** Must run before the UPDATE. */
export function changedStates(ws: number, selection: TaskSelection, after: OfTask<NewState>): States {
  return states(ws, selection, after, 1);
}

/** The same states, each beside the cutoffs of the workspace: `past_cutoff`, `week_cutoff`. */
export function besideCutoffs(ws: number, states: States): States {
  // The states come first: behind another table they would be stored, and read twice.
  return sql`SELECT * FROM (${states}) st CROSS JOIN (${cutoffsOfWorkspace(ws)}) bw`;
}

function states(ws: number, selection: TaskSelection, after: OfTask<NewState>, was: 0 | 1): States {
  const { access, where } = selection(t);
  const state = after(t);
  const old = (name: (typeof countedColumns)[number]) => t[name];
  const become = (name: (typeof countedColumns)[number]) => state[name] ?? old(name);
  const columns = countedColumns.flatMap((name) => [
    sql`${old(name)} AS ${sql.raw(`old_${name}`)}`,
    sql`${become(name)} AS ${sql.raw(`new_${name}`)}`,
  ]);
  // With the LIMIT a new value is computed once a task; without, it stands in each of a hundred columns of the counters, and a
  // bulk with other values for each task exceeds the memory of a statement.
  const bucket = sql`${become('archived')} * 15 + ${become('status')} * 3 + ${become('priority')}`;
  return sql`
    SELECT ${sql.raw(String(was))} AS was, ${t.id} AS id, ${t.ws} AS ws, ${t.project} AS project,
      ${t.followers} AS followers, ${sql.join(columns, sql`, `)},
      ${t.bucket} AS old_bucket, ${bucket} AS new_bucket
    FROM ${t} ${access} WHERE ${where} AND ${t.ws} = ${ws} LIMIT -1`;
}
