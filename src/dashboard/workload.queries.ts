import { bucketColumns, columnAt, memberDays, statusColumns, taskCounts } from '../counters/counters.sql.ts';
import { cutoffsOfWorkspace } from '../counters/cutoffs.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { leftJoined, type NameOf, names, type SQL, sql } from '../kernel/sql.ts';
import { projects } from '../projects/projects.sql.ts';
import { bucketOf } from '../task-model/buckets.ts';
import { taskPriorities, taskStatuses } from '../task-model/tasks.schema.ts';
import { members } from '../workspaces/workspaces.sql.ts';
import {
  inProjectFilter,
  picksPeople,
  type ScopeFilter,
  scopeTables,
  seesEveryProject,
} from './scope.queries.ts';

const counts = leftJoined(taskCounts, 'c');
const days = names(memberDays, 'c');
const m = names(members, 'm');
const p = names(projects, 'p');

export interface WorkloadWindow {
  from: string;
  to: string;
  today: string;
}

/** A person and what all their open tasks come to; hours are hundredths. */
export interface WorkloadRow {
  user_id: string;
  name: string;
  email: string;
  image: string | null;
  active: number;
  /** Due before the cutoff that the counters sum up to. */
  past: number;
  past_hours: number;
  in_progress: number;
  in_progress_hours: number;
  internal_review: number;
  internal_review_hours: number;
  client_review: number;
  client_review_hours: number;
}

/** What a person has to do and completed in some days; hours are hundredths. */
export interface DaysRow {
  user_id: string;
  due: number;
  due_hours: number;
  completed: number;
  completed_hours: number;
}

const at = (name: (typeof taskStatuses)[number]) => taskStatuses.indexOf(name);
const open = [...taskStatuses.keys()].filter((status) => status !== at('completed'));
const sum = (columns: readonly NameOf<typeof taskCounts>[]) =>
  columns.map((column) => `coalesce(sum(${counts[column]}), 0)`).join(' + ');
const countOf = (status: number) => sum(bucketsOf(status).map((bucket) => columnAt(bucketColumns, bucket)));

/** Unarchived tasks of a status, as the counters cut them. */
function bucketsOf(status: number): number[] {
  return [...taskPriorities.keys()].map((priority) => bucketOf({ archived: 0, status, priority }));
}

/** The columns and sums of a person in task_counts. Hours are hundredths. */
const totals: Record<string, string> = {
  active: open.map(countOf).join(' + '),
  past: sum(open.map((status) => columnAt(statusColumns.past, status))),
  past_hours: sum(['past_hours']),
  ...Object.fromEntries(
    (['in_progress', 'internal_review', 'client_review'] as const).flatMap((name) => [
      [name, countOf(at(name))],
      [`${name}_hours`, sum([columnAt(statusColumns.hours, at(name))])],
    ]),
  ),
};

const selectedTotals = sql.raw(
  Object.entries(totals)
    .map(([name, amount]) => `${amount} AS ${name}`)
    .join(', '),
);

/** People `m` whom the role and the parameters let through: condition on members of the workspace. */
function isShown(filter: ScopeFilter): SQL {
  const seen = seesEveryProject(filter) ? sql`true` : sql`${m.no} IN (SELECT no FROM seen_people)`;
  return picksPeople(filter) ? sql`${seen} AND ${m.no} IN (SELECT no FROM picked)` : seen;
}

/** Condition on the counters `c` of a person `m`: those of all projects, or of the projects that the filter names. */
function ofPerson(
  caller: Caller,
  filter: ScopeFilter,
  { ws, member, project }: Record<'ws' | 'member' | 'project', SQL>,
): SQL {
  const isNarrowed = filter.projectId !== undefined || filter.projectStatus !== undefined;
  const those = isNarrowed
    ? sql`IN (SELECT ${p.id} FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${inProjectFilter(filter, p.id)})`
    : sql`= 0`;
  return sql`${ws} = ${m.ws} AND ${member} = ${m.no} AND ${project} ${those}`;
}

/**
 * People of the role's scope who have an active task, and those who are named in `assigneeId`. Counters answer it: a row
 * a person (with a filter on projects a row a person and project), however many tasks there are. They come in the
 * order of their ids, as the index has them: sorting would count every row again.
 */
export function listWorkloads(caller: Caller, filter: ScopeFilter): Statement<WorkloadRow[]> {
  const isNamed = filter.assigneeId ? sql`true` : sql`false`;
  return rows<WorkloadRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT ${m.user_id} AS user_id, ${m.name} AS name, ${m.email} AS email, ${m.image} AS image, ${selectedTotals}
    FROM ${m} INDEXED BY members_by_workspace LEFT JOIN ${counts} ON ${ofPerson(caller, filter, counts)}
    WHERE ${m.ws} = ${caller.workspace} AND ${m.ended_at} IS NULL AND ${isShown(filter)}
    GROUP BY ${m.ws}, ${m.user_id} HAVING active > 0 OR ${isNamed}`);
}

/** What the people of `listWorkloads` have to do, and completed, from one day to another. */
export function listWindow(
  caller: Caller,
  filter: ScopeFilter,
  window: WorkloadWindow,
): Statement<DaysRow[]> {
  const { from, to } = window;
  return listDays(caller, filter, sql`AND ${days.day} >= ${from} AND ${days.day} <= ${to}`, sql`1`);
}

/** What is due between the cutoff of the sums and today. Add it to `past`; it is negative if the cutoff is ahead. */
export function listSinceCutoff(
  caller: Caller,
  filter: ScopeFilter,
  { today }: WorkloadWindow,
): Statement<DaysRow[]> {
  const cutoff = sql`(SELECT b.past_cutoff FROM (${cutoffsOfWorkspace(caller.workspace)}) b)`;
  const between = sql`AND ${days.day} >= min(${cutoff}, ${today}) AND ${days.day} < max(${cutoff}, ${today})`;
  return listDays(caller, filter, between, sql`iif(${cutoff} < ${today}, 1, -1)`);
}

function listDays(caller: Caller, filter: ScopeFilter, within: SQL, sign: SQL): Statement<DaysRow[]> {
  return rows<DaysRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT ${m.user_id} AS user_id, ${sign} * sum(${days.due}) AS due,
      ${sign} * sum(${days.due_hours}) AS due_hours,
      sum(${days.done}) AS completed, sum(${days.done_hours}) AS completed_hours
    FROM ${m} INDEXED BY members_by_workspace CROSS JOIN ${days} ON ${ofPerson(caller, filter, days)} ${within}
    WHERE ${m.ws} = ${caller.workspace} AND ${isShown(filter)} GROUP BY ${m.ws}, ${m.user_id}`);
}
