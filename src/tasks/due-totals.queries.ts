import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { archivedStatusesOf } from '../task-model/buckets.ts';
import { followedElsewhere, projectsOf } from './ranges.queries.ts';
import { needsMine, type PageFilter } from './task-filter.queries.ts';

/** Counters know the days of projects, of every assignee and priority; null where they do not tell what is asked. */
export function totalByDays(caller: Caller, filter: PageFilter): SQL | null {
  const { buckets, assignees, due, updatedSince } = filter;
  const { statuses, isWhole } = archivedStatusesOf(buckets);
  const isArchived = statuses.some((status) => status >= 5);
  if (due === undefined || updatedSince !== undefined || assignees !== undefined || !isWhole || isArchived) return null;
  const ofDay = sql.raw(statuses.map((status) => `d.status${status}`).join(' + '));
  const inProjects = sql`
    SELECT sum(${ofDay}) FROM (${projectsOf(caller, filter)}) o
    CROSS JOIN due_days d ON d.project = o.no AND d.day >= ${due.from} AND d.day < ${due.until}`;
  const elsewhere = needsMine(caller, filter)
    ? sql`(SELECT count(*) FROM (${followedElsewhere(caller, filter, sql`t.id AS id`)}))`
    : sql`0`;
  return sql`SELECT coalesce((${inProjects}), 0) + ${elsewhere} AS total`;
}
