import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { detailSearch, detailTexts, waitingDetails } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const d = aliasTable(detailTexts, 'd');
const s = aliasTable(detailSearch, 's');
const t = aliasTable(tasks, 't');
const w = aliasTable(waitingDetails, 'w');

export const detailSearchInvariants: readonly Invariant[] = [
  {
    name: 'every task with a checklist or tags is in detail_texts or in details_waiting',
    over: 'tasks',
    repairedBy: 'search',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'task ' || ${t.id} || ' is neither in detail_texts nor waiting' AS offender FROM ${t} NOT INDEXED
      WHERE ${within(t.id)} AND ${t.ws} > 0 AND (${t.label_keys} <> '[]' OR ${t.checklist_total} > 0)
        AND NOT EXISTS (SELECT 1 FROM ${d} WHERE ${d.task} = ${t.id} AND ${d.ws} = ${t.ws})
        AND NOT EXISTS (SELECT 1 FROM ${w} WHERE ${w.ws} = ${t.ws} AND ${w.task} = ${t.id})`,
    ),
  },
  {
    name: 'detail_texts and detail_search have the same tasks, and all of them exist',
    repairedBy: 'search',
    offenders: createOffenderQuery(sql`
      SELECT 'row ' || s.rowid || ' of detail_search belongs to no row of detail_texts' AS offender FROM ${s}
      WHERE NOT EXISTS (SELECT 1 FROM ${d} WHERE ${d.task} = (s.rowid & 4294967295)
        AND s.rowid = ((${d.ws} * 2) << 32) | ${d.task})
      UNION ALL
      SELECT 'task ' || ${d.task} || ' of detail_texts is not in detail_search, or no longer exists' FROM ${d}
      WHERE NOT EXISTS (SELECT 1 FROM ${s} WHERE s.rowid = ((${d.ws} * 2) << 32) | ${d.task})
        OR NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${d.task} AND abs(${t.ws}) = ${d.ws})`),
  },
  {
    name: 'every row of details_waiting belongs to a task',
    repairedBy: 'search',
    offenders: createOffenderQuery(sql`
      SELECT 'task ' || ${w.task} || ' is waiting but no longer exists' AS offender FROM ${w}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${w.task} AND abs(${t.ws}) = ${w.ws})`),
  },
];
