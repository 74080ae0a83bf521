import type { WriteContext } from '../../kernel/operation/operation.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasLeftJoinedTable, aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { cardPositions, tasks } from '../../schema/cell/tasks.ts';

// Stores the manual order within a column (docs/adr/0031). Cards placed around the same card share its id as their
// anchor. A moved card takes its neighbor's anchor. It is placed halfway between the neighbor and the next card with that
// anchor, or one step beyond the last card with that anchor. If there is no room left between two cards, all cards with
// that anchor are renumbered.

/** The maximum number of manual positions per column. Beyond it, the oldest positions are deleted. */
export const CARD_POSITIONS_MAX = 100;
/** A step can be halved 36 times, and there is room for 16,384 steps above and below an anchor. */
const POSITION_STEP = sql.raw(String(2 ** 36));
const POSITION_MAX = sql.raw(String(2 ** 50));

const b = aliasLeftJoinedTable(cardPositions, 'b');
const excluded = aliasTable(cardPositions, 'excluded');
const r = aliasTable(cardPositions, 'r');
const t = aliasTable(tasks, 't');

export interface CardPlacement {
  task: number;
  project: number;
  status: number;
  /** The moved card is placed next to this card, which is in the same project. */
  beside: number;
  side: 'above' | 'below';
}

export function placeCard({ caller, now }: WriteContext, placing: CardPlacement): Statement<void>[] {
  const { task, project, status } = placing;
  const inColumn = sql`${r.ws} = ${caller.workspace} AND ${r.project} = ${project} AND ${r.status} = ${status}`;
  const gap = buildGapTable(caller.workspace, placing, inColumn);
  const isUpward = sql`(${r.place} > 0)`;
  return [
    write(sql`
      ${gap} UPDATE ${cardPositions} SET ${cardPositions.place} = spaced.place FROM (
        SELECT ${r.task} AS task, ${POSITION_STEP} * iif(${isUpward},
          row_number() OVER (PARTITION BY ${isUpward} ORDER BY ${r.place}),
          -row_number() OVER (PARTITION BY ${isUpward} ORDER BY ${r.place} DESC)) AS place
        FROM ${r} INDEXED BY card_places_by_column
        WHERE ${inColumn} AND ${r.anchor} = (SELECT anchor FROM gap WHERE is_full)) spaced
      WHERE ${cardPositions}.task = spaced.task AND ${cardPositions}.status = ${status}`),
    write(sql`
      ${gap} INSERT INTO ${nameInsertColumns(cardPositions, 'task', 'ws', 'project', 'status', 'anchor', 'place', 'moved_at')}
      SELECT ${task}, ${caller.workspace}, ${project}, ${status}, anchor, middle, ${now} FROM gap WHERE true
      ON CONFLICT (${cardPositions.task}, ${cardPositions.status}) DO UPDATE SET
        ${cardPositions.anchor} = ${excluded.anchor}, ${cardPositions.place} = ${excluded.place},
        ${cardPositions.moved_at} = ${excluded.moved_at}`),
    write(sql`
      DELETE FROM ${cardPositions} WHERE ${cardPositions.status} = ${status} AND ${cardPositions.task} IN (
        SELECT ${r.task} FROM ${r} INDEXED BY card_places_by_column WHERE ${inColumn}
        ORDER BY ${r.moved_at} DESC, ${r.task} DESC LIMIT -1 OFFSET ${CARD_POSITIONS_MAX})`),
  ];
}

function buildGapTable(
  ws: number,
  { task, project, status, beside, side }: CardPlacement,
  inColumn: SQL,
): SQL {
  const isAbove = side === 'above';
  const sign = sql.raw(isAbove ? '+' : '-');
  const nearest = sql.raw(isAbove ? 'min' : 'max');
  const isBeyond = sql.raw(isAbove ? '>' : '<');
  const isNotAtAnchor = sql.raw(isAbove ? '<' : '>');
  return sql`
    WITH beside (anchor, place) AS MATERIALIZED (
      SELECT coalesce(${b.anchor}, ${t.id}), coalesce(${b.place}, 0)
      FROM ${t} LEFT JOIN ${b} ON ${b.task} = ${t.id} AND ${b.status} = ${status}
      WHERE ${t.id} = ${beside} AND ${t.ws} = ${ws} AND ${t.project} = ${project}),
    neighbor (anchor, place, placed) AS MATERIALIZED (
      SELECT anchor, place, (SELECT ${nearest}(${r.place}) FROM ${r} INDEXED BY card_places_by_column
        WHERE ${inColumn} AND ${r.anchor} = beside.anchor AND ${r.place} ${isBeyond} beside.place
        AND ${r.task} <> ${task})
      FROM beside),
    bounds (anchor, place, bound) AS MATERIALIZED (
      SELECT anchor, place, iif(place ${isNotAtAnchor} 0, ${nearest}(coalesce(placed, 0), 0), placed)
      FROM neighbor),
    gap (anchor, middle, is_full) AS MATERIALIZED (
      SELECT anchor, iif(bound IS NULL, place ${sign} ${POSITION_STEP}, (place + bound) / 2),
        iif(bound IS NULL, abs(place) + ${POSITION_STEP} >= ${POSITION_MAX}, abs(bound - place) < 2)
      FROM bounds)`;
}
