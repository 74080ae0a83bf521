import { bucketColumns, columnAt, memberDays, statusColumns, taskCounts } from '../counters/counters.sql.ts';
import { cutoffsOfWorkspace } from '../counters/cutoffs.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { columns, leftJoined, type NameOf, names, type Row, type SQL, sql, typed } from '../kernel/sql.ts';
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

const daysColumns = columns({
  user_id: m.user_id,
  completed: typed<number>(sql`sum(${days.done})`),
  completed_hours: typed<number>(sql`sum(${days.done_hours})`),
});
/** What a person has to do and completed in some days; hours are hundredths. */
export type DaysRow = Row<typeof daysColumns> & {
  due: number;
  due_hours: number;
};

const at = (name: (typeof taskStatuses)[number]) => taskStatuses.indexOf(name);
const open = [...taskStatuses.keys()].filter((status) => status !== at('completed'));
const sum = (columns: readonly NameOf<typeof taskCounts>[]) =>
  columns.map((column) => `coalesce(sum(${counts[column]}), 0)`).join(' + ');
const countOf = (status: number) => sum(bucketsOf(status).map((bucket) => columnAt(bucketColumns, bucket)));

/** Unarchived tasks of a status, as the counters cut them. */
function bucketsOf(status: number): number[] {
  return [...taskPriorities.keys()].map((priority) => bucketOf({ archived: 0, status, priority }));
}

const totalOf = (amount: string) => typed<number>(sql.raw(amount));
const totalOfStatus = (status: number) => totalOf(countOf(status));
const hoursOfStatus = (status: number) => totalOf(sum([columnAt(statusColumns.hours, status)]));

const workloadColumns = columns({
  user_id: m.user_id,
  name: m.name,
  email: m.email,
  image: m.image,
  active: totalOf(open.map(countOf).join(' + ')),
  /** Due before the cutoff that the counters sum up to. */
  past: totalOf(sum(open.map((status) => columnAt(statusColumns.past, status)))),
  past_hours: totalOf(sum(['past_hours'])),
  in_progress: totalOfStatus(at('in_progress')),
  in_progress_hours: hoursOfStatus(at('in_progress')),
  internal_review: totalOfStatus(at('internal_review')),
  internal_review_hours: hoursOfStatus(at('internal_review')),
  client_review: totalOfStatus(at('client_review')),
  client_review_hours: hoursOfStatus(at('client_review')),
});
/** A person and what all their open tasks come to; hours are hundredths. */
export type WorkloadRow = Row<typeof workloadColumns>;

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
  return rows(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT ${workloadColumns}
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
  return rows(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT ${daysColumns}, ${columns({
      due: typed<number>(sql`${sign} * sum(${days.due})`),
      due_hours: typed<number>(sql`${sign} * sum(${days.due_hours})`),
    })}
    FROM ${m} INDEXED BY members_by_workspace CROSS JOIN ${days} ON ${ofPerson(caller, filter, days)} ${within}
    WHERE ${m.ws} = ${caller.workspace} AND ${isShown(filter)} GROUP BY ${m.ws}, ${m.user_id}`);
}
