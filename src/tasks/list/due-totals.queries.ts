import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { dueColumns, dueDays, getColumnAt, statusColumns, taskCounts } from '../../schema/cell/counters.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectCutoffs } from '../counters/cutoffs.queries.ts';
import { toArchivedStatuses } from '../model/buckets.ts';
import { FIRST_DAY } from '../model/due-range.ts';
import { isLimitedToMine, type PageFilter } from './page-filter.queries.ts';
import { selectFollowedTasksOutsideMyProjects, selectProjects } from './ranges.queries.ts';

const c = aliasTable(taskCounts, 'c');
const d = aliasTable(dueDays, 'd');
const t = aliasTable(tasks, 't');

/** Returns null if the total for this filter can't be read from the project counters. */
export function selectTotalByDays(caller: Caller, filter: PageFilter): SQL | null {
  const { buckets, assignees, due, updatedSince, created, tags, fields, hasNoParent } = filter;
  const { statuses, isWhole } = toArchivedStatuses(buckets);
  const isArchived = statuses.some((status) => status >= 5);
  const others = [updatedSince, assignees, created, tags, fields, hasNoParent];
  const isCombined = others.some((each) => each !== undefined);
  if (due === undefined || isCombined || !isWhole || isArchived) return null;
  const { from, until } = due;
  const inProjects =
    from === FIRST_DAY
      ? sumDueBefore(caller, filter, statuses, until)
      : sumDueDays(caller, filter, statuses, from, until);
  const elsewhere = isLimitedToMine(caller, filter)
    ? sql`(SELECT count(*) FROM (${selectFollowedTasksOutsideMyProjects(caller, filter, sql`${t.id} AS id`)}))`
    : sql`0`;
  return sql`SELECT ${inProjects} + ${elsewhere} AS total`;
}

function sumDueDays(
  caller: Caller,
  filter: PageFilter,
  statuses: readonly number[],
  from: string | SQL,
  until: string | SQL,
): SQL {
  const ofDay = sql.raw(statuses.map((status) => d[getColumnAt(dueColumns, status)]).join(' + '));
  return sql`coalesce((
    SELECT sum(${ofDay}) FROM (${selectProjects(caller, filter)}) o
    CROSS JOIN ${d} ON ${d.project} = o.no AND ${d.day} >= ${from} AND ${d.day} < ${until}), 0)`;
}

/**
 * Counts the tasks due before `day`: those due before today's cutoff, plus or minus those due between the cutoff and
 * `day`.
 */
function sumDueBefore(caller: Caller, filter: PageFilter, statuses: readonly number[], day: string): SQL {
  const past = sql.raw(statuses.map((status) => c[getColumnAt(statusColumns.past, status)]).join(' + '));
  const cutoff = sql`(SELECT b.past_cutoff FROM (${selectCutoffs(caller.workspace)}) b)`;
  return sql`(coalesce((
    SELECT sum(${past}) FROM (${selectProjects(caller, filter)}) o
    CROSS JOIN ${c} ON ${c.ws} = ${caller.workspace} AND ${c.member} = 0 AND ${c.project} = o.no), 0)
    + ${sumDueDays(caller, filter, statuses, cutoff, day)} - ${sumDueDays(caller, filter, statuses, sql`${day}`, cutoff)})`;
}
