import type { Caller } from '../../kernel/access/access.ts';
import { type MergeOrder, mergePage, type RangeReader } from '../../kernel/lists/merge-page.queries.ts';
import { isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { otherAssigneeCounts, taskCounts } from '../../schema/cell/counters.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { getSingleAssignee } from '../counters/assignees.queries.ts';
import { buildBucketList, selectMemberNumber, sumFollowedBuckets } from '../counters/bucket-sums.queries.ts';
import { buildIndexSource, selectMergedPage, taskOrders } from '../model/task-orders.queries.ts';
import {
  buildAssigneeCondition,
  buildProjectCondition,
  buildRowConditions,
  isLimitedToMine,
  type PageFilter,
} from './page-filter.queries.ts';
import { buildBucketRanges, getRepeatsMax } from './ranges.queries.ts';

const f = aliasTable(followers, 'f');
const fc = aliasTable(taskCounts, 'fc');
const mp = aliasTable(projectMembers, 'mp');
const oc = aliasTable(otherAssigneeCounts, 'oc');
const op = aliasTable(projectMembers, 'op');
const t = aliasTable(tasks, 't');

export function selectNewestPage(caller: Caller, filter: PageFilter, range: PageRange): SQL {
  if (isLimitedToMine(caller, filter)) return selectMyTaskPage(caller, filter, range);
  const until = buildRowConditions(t, filter);
  return selectMergedPage(buildBucketRanges(caller, filter), taskOrders.created, filter.buckets, range, {
    until,
    repeatsMax: getRepeatsMax(filter),
  });
}

const newestFirstOrder: MergeOrder = {
  columns: ['owner', 'bucket'],
  isDescending: true,
  end: sql`-1`,
  id: sql`key`,
};

function buildNewestFirstReader(range: PageRange, id: SQL, newest: (below: SQL) => SQL): RangeReader {
  return {
    first: newest(isAfter(range, [{ column: id, isDescending: true }])),
    next: newest(sql`${id} < m.key`),
  };
}

function selectOtherAssigneeRanges(caller: Caller, userId: string, filter: PageFilter): SQL {
  return sql`
      UNION ALL
      SELECT 2, ${mp.project}, b.value FROM ${mp}
      CROSS JOIN json_each(${JSON.stringify(filter.buckets)}) b
      WHERE ${mp.member} = ${caller.member} ${buildProjectCondition(mp.project, filter)} AND EXISTS (
        SELECT 1 FROM ${oc} WHERE ${oc.ws} = ${caller.workspace} AND ${oc.member} = ${selectMemberNumber(caller, userId)}
          AND ${oc.project} = ${mp.project})`;
}

function selectMyTaskPage(caller: Caller, filter: PageFilter, range: PageRange): SQL {
  const { buckets, assignees } = filter;
  const person = assignees && getSingleAssignee(assignees);
  const buildCondition = (column: SQL) => buildProjectCondition(column, filter);
  const index = sql.raw(person ? 'tasks_by_project_assignee' : 'tasks_by_project');
  const assigned = buildAssigneeCondition(t, caller, filter);
  const isFirst = person ? sql`AND ${t.assignee} = ${selectMemberNumber(caller, person)}` : assigned;
  const ranges = sql`
    WITH ranges (kind, owner, bucket) AS MATERIALIZED (
      SELECT 0, ${mp.project}, b.value FROM ${mp} CROSS JOIN json_each(${JSON.stringify(buckets)}) b
      WHERE ${mp.member} = ${caller.member} ${buildCondition(mp.project)}
      ${person ? selectOtherAssigneeRanges(caller, person, filter) : sql``}
      UNION ALL
      SELECT 1, ${fc.project}, NULL FROM ${fc}
      WHERE ${fc.ws} = ${caller.workspace} AND ${fc.member} = ${caller.member} AND ${fc.project} > 0
      ${buildCondition(fc.project)} AND ${sumFollowedBuckets(buckets)} > 0
      AND NOT EXISTS (SELECT 1 FROM ${op} WHERE ${op.project} = ${fc.project} AND ${op.member} = ${fc.member}))
    SELECT kind, owner, bucket FROM ranges`;
  const selectInMyProjects = (below: SQL) => sql`(
    SELECT ${t.id} FROM ${t} INDEXED BY ${index}
    WHERE ${t.project} = m.owner ${isFirst} AND ${t.bucket} = m.bucket AND ${below}${buildRowConditions(t, filter)}
      ORDER BY ${t.id} DESC LIMIT 1)`;
  // Rows of `followers` don't contain the bucket, because otherwise every status change would have to rewrite them.
  const selectFollowedByCaller = (below: SQL) => sql`(
    SELECT ${f.task} FROM ${f} CROSS JOIN ${t} ON ${t.id} = ${f.task}
    WHERE ${f.member} = ${caller.member} AND ${f.project} = m.owner AND ${below}
    AND ${t.bucket} IN ${buildBucketList(buckets)} ${assigned}${buildRowConditions(t, filter)} ORDER BY ${f.task} DESC LIMIT 1)`;
  const selectShared = (below: SQL) => sql`(
    SELECT ${t.id} FROM ${buildIndexSource({ index: 'other_assignees_by_project', readsOtherAssignees: true })}
    WHERE ${t.project} = m.owner ${isFirst} AND ${t.bucket} = m.bucket AND ${below}${buildRowConditions(t, filter)}
      ORDER BY ${t.id} DESC LIMIT 1)`;
  const readers = [
    buildNewestFirstReader(range, t.id, selectInMyProjects),
    buildNewestFirstReader(range, f.task, selectFollowedByCaller),
    ...(person ? [buildNewestFirstReader(range, t.id, selectShared)] : []),
  ];
  return mergePage({ ranges, readers }, newestFirstOrder, range);
}
