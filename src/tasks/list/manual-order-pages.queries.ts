import type { Caller } from '../../kernel/access/access.ts';
import { canMergeAsUnion } from '../../kernel/lists/merge-page.queries.ts';
import { buildLimit, type PageRange } from '../../kernel/lists/pagination.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { cardPositions, tasks } from '../../schema/cell/tasks.ts';
import { buildTaskRangeFromClause, findSingleOwnerSource, taskOrders } from '../model/task-orders.queries.ts';
import { taskStatuses } from '../model/tasks.schema.ts';
import {
  buildRowConditions,
  isLimitedToMine,
  matchesPageFilter,
  type PageFilter,
} from './page-filter.queries.ts';
import { selectTaskPage } from './pages.queries.ts';
import { buildBucketRanges } from './ranges.queries.ts';

const r = aliasTable(cardPositions, 'r');
const t = aliasTable(tasks, 't');

/**
 * Selects `id`, `anchor` and `place`. In addition to the page, reads up to `CARD_POSITIONS_MAX` manual positions per
 * status.
 */
export function selectManualOrderPage(caller: Caller, filter: PageFilter, range: PageRange): SQL {
  const statuses = [...taskStatuses.keys()].filter((status) =>
    filter.buckets.some((bucket) => Math.floor(bucket / 3) % taskStatuses.length === status),
  );
  const [project = null, ...others] = filter.projectIds ?? [];
  const inColumn = sql`${r} INDEXED BY card_places_by_column
    WHERE ${r.ws} = ${caller.workspace} AND ${r.project} = ${others.length === 0 ? project : null}
    AND ${r.status} IN ${sql.raw(`(${statuses})`)}`;
  const sources = [
    sql`SELECT id, anchor, place FROM placed`,
    ...selectUnplacedCards(caller, filter, range, inColumn),
  ];
  return sql`
    WITH placed (id, anchor, place) AS MATERIALIZED (
      SELECT c.id, c.anchor, c.place
      FROM (SELECT ${r.task} AS id, ${r.status} AS status, ${r.anchor} AS anchor, ${r.place} AS place
        FROM ${inColumn}) c
      CROSS JOIN ${t} ON ${t.id} = c.id AND ${t.ws} = ${caller.workspace} AND ${t.status} = c.status
      WHERE ${matchesPageFilter(t, caller, filter)})
    SELECT id, anchor, place FROM (${sql.join(sources, sql` UNION ALL `)}
      ORDER BY anchor DESC, place DESC, id DESC ${buildLimit(range)})`;
}

/** Cards without a manual position are listed newest first. Their anchor is their own id, and their place is 0. */
function selectUnplacedCards(caller: Caller, filter: PageFilter, range: PageRange, inColumn: SQL): SQL[] {
  const owner = isLimitedToMine(caller, filter)
    ? null
    : findSingleOwnerSource(buildBucketRanges(caller, filter));
  if (owner && canMergeAsUnion(['placed', ...filter.buckets])) {
    const fromRange = (bucket: number) => sql`
      SELECT ${t.id} AS id, ${t.id} AS anchor, 0 AS place FROM ${buildTaskRangeFromClause(owner, taskOrders.created, bucket)}
      AND ${t.id} NOT IN (SELECT id FROM placed) ${buildRowConditions(t, filter)}`;
    return filter.buckets.map(fromRange);
  }
  const newest = selectTaskPage(caller, filter, 'created', {
    ...range,
    beyond: sql`(SELECT count(*) FROM ${inColumn})`,
  });
  return [sql`SELECT n.id, n.id, 0 FROM (${newest}) n WHERE n.id NOT IN (SELECT id FROM placed)`];
}
