import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { otherAssigneeCounts } from '../../schema/cell/counters.ts';
import { otherAssignees, tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { COMPLETED_STATUS } from '../../tasks/fields.ts';
import { toBucket } from '../../tasks/model/buckets.ts';
import { type TaskStatus, taskStatuses } from '../../tasks/model/tasks.schema.ts';
import type { ScopeFilter } from '../scope/scope.queries.ts';
import { selectFilteredProjects, type WorkloadWindow } from './workload.queries.ts';

const m = aliasTable(members, 'm');
const oc = aliasTable(otherAssigneeCounts, 'oc');
const q = aliasTable(otherAssignees, 'q');
const t = aliasTable(tasks, 't');

/** If more tasks have several assignees, the page doesn't split their hours. Splitting reads about 2 rows per task. */
export const SHARED_TASKS_MAX = 300;
const OPEN_BUCKETS_END = toBucket({ archived: 0, status: COMPLETED_STATUS, priority: 0 });

const sumLoads = (what: 'one' | 'share', condition: SQL) =>
  withType<number>(sql`sum(d.${sql.raw(what)} * (${condition}))`);
const hasStatus = (status: TaskStatus) => sql`d.status = ${sql.raw(String(taskStatuses.indexOf(status)))}`;

const buildSharedLoadColumns = ({ from, to, today }: WorkloadWindow) => {
  const isPast = sql`d.due < ${today}`;
  const isDue = sql`d.due BETWEEN ${from} AND ${to}`;
  return selectColumns({
    user_id: m.user_id,
    rows: withType<number>(sql`(SELECT count(*) FROM shared)`),
    active: sumLoads('one', sql`1`),
    past: sumLoads('one', isPast),
    past_hours: sumLoads('share', isPast),
    due: sumLoads('one', isDue),
    due_hours: sumLoads('share', isDue),
    in_progress: sumLoads('one', hasStatus('in_progress')),
    in_progress_hours: sumLoads('share', hasStatus('in_progress')),
    internal_review: sumLoads('one', hasStatus('internal_review')),
    internal_review_hours: sumLoads('share', hasStatus('internal_review')),
    client_review: sumLoads('one', hasStatus('client_review')),
    client_review_hours: sumLoads('share', hasStatus('client_review')),
  });
};
export type SharedLoadRow = Row<ReturnType<typeof buildSharedLoadColumns>>;

/**
 * Returns corrections to the counters, which count each task for its first assignee only. The corrections add the task
 * and an equal part of its hours to every other assignee, and subtract these parts from the first assignee's hours.
 * Completed tasks count only for the first assignee.
 */
export function listSharedLoads(
  caller: Caller,
  filter: ScopeFilter,
  window: WorkloadWindow,
): Statement<SharedLoadRow[]> {
  const { projectId, projectStatus } = filter;
  const those =
    projectStatus !== undefined
      ? sql`AND ${q.project} IN (${selectFilteredProjects(caller, filter)})`
      : projectId !== undefined
        ? sql`AND ${q.project} = ${projectId}`
        : sql``;
  // Jumps directly from one member with counters to the next, because most members share no tasks and have no counters.
  const selectNext = (after: SQL) =>
    sql`SELECT min(${oc.member}) FROM ${oc} WHERE ${oc.ws} = ${caller.workspace} ${after}`;
  return readRows(sql`
    WITH RECURSIVE sharing (no) AS (
      ${selectNext(sql``)}
      UNION ALL SELECT (${selectNext(sql`AND ${oc.member} > s.no`)}) FROM sharing s WHERE s.no IS NOT NULL),
    shared (assignee, first_assignee, status, due, share) AS MATERIALIZED (
      SELECT ${q.assignee}, ${q.first_assignee}, ${q.status}, ${q.due},
        ${t.hours} / (1 + json_array_length(${t.other_assignees}))
      FROM sharing s CROSS JOIN ${q} INDEXED BY other_assignees_by_bucket
        ON ${q.assignee} = s.no AND ${q.bucket} < ${sql.raw(String(OPEN_BUCKETS_END))}
      CROSS JOIN ${t} ON ${t.id} = ${q.id}
      WHERE ${q.ws} = ${caller.workspace} ${those} LIMIT ${SHARED_TASKS_MAX + 1})
    SELECT ${buildSharedLoadColumns(window)}
    FROM (
      SELECT assignee AS no, 1 AS one, share, status, due FROM shared
      UNION ALL SELECT first_assignee, 0, -share, status, due FROM shared) d
    CROSS JOIN ${m} ON ${m.no} = d.no WHERE ${m.ws} = ${caller.workspace} GROUP BY ${m.user_id}`);
}
