import type { Caller } from '../kernel/access.ts';
import { limitOf, type Range } from '../kernel/pagination.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { taskStatuses } from '../task-model/tasks.schema.ts';
import { cardPlaces, tasks } from '../task-model/tasks.sql.ts';
import { taskPageIds } from './pages.queries.ts';
import { fits, type PageFilter } from './task-filter.queries.ts';

const r = names(cardPlaces, 'r');
const t = names(tasks, 't');

/**
 * Selects `id`, `anchor` and `place` of the first page of a column, in the order that was made by hand. Nobody puts more
 * than `PLACES_MAX` cards of a column into their places, so that many rows are read beyond the page at most.
 */
export function handPage(caller: Caller, filter: PageFilter, range: Range): SQL {
  const statuses = [...taskStatuses.keys()].filter((status) =>
    filter.buckets.some((bucket) => Math.floor(bucket / 3) % taskStatuses.length === status),
  );
  const inColumn = sql`${r} INDEXED BY card_places_by_column
    WHERE ${r.ws} = ${caller.workspace} AND ${r.project} = ${filter.projectId ?? null}
    AND ${r.status} IN ${sql.raw(`(${statuses})`)}`;
  const newest = taskPageIds(caller, filter, 'created', {
    ...range,
    beyond: sql`(SELECT count(*) FROM ${inColumn})`,
  });
  return sql`
    SELECT id, coalesce(max(anchor), id) AS anchor, coalesce(max(place), 0) AS place FROM (
      SELECT c.id AS id, c.anchor AS anchor, c.place AS place
      FROM (SELECT ${r.task} AS id, ${r.status} AS status, ${r.anchor} AS anchor, ${r.place} AS place
        FROM ${inColumn}) c
      CROSS JOIN ${t} ON ${t.id} = c.id AND ${t.ws} = ${caller.workspace} AND ${t.status} = c.status
      WHERE ${fits(caller, filter)}
      UNION ALL SELECT n.id, NULL, NULL FROM (${newest}) n)
    GROUP BY id ORDER BY 2 DESC, 3 DESC, id DESC ${limitOf(range)}`;
}
