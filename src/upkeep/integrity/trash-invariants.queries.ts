import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { cardPositions, followers, tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { trash } from '../../schema/cell/trash.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const d = aliasTable(trash, 'd');
const e = aliasTable(timeEntries, 'e');
const f = aliasTable(followers, 'f');
const k = aliasTable(cardPositions, 'k');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

export const trashInvariants: readonly Invariant[] = [
  {
    name: 'deleted tasks and everything that belongs to them are hidden',
    offenders: createOffenderQuery(sql`
      SELECT 'task ' || ${d.task} || ' is in the trash but not hidden' AS offender FROM ${d}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${d.task} AND ${t.ws} = -${d.ws} AND ${t.project} = -${d.project})
      UNION ALL
      SELECT 'deleted task ' || ${d.task} || ' belongs to a project that does not exist' FROM ${d}
      WHERE ${d.deleted_at} > 0 AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${d.project} AND ${p.ws} = ${d.ws})
      UNION ALL
      SELECT 'member ' || ${f.member} || ' follows deleted task ' || ${d.task}
      FROM ${d} CROSS JOIN ${t} ON ${t.id} = ${d.task} CROSS JOIN json_each(${t.followers}) l
      CROSS JOIN ${f} ON ${f.member} = l.value AND ${f.project} = ${d.project} AND ${f.task} = ${d.task}
      UNION ALL
      SELECT 'deleted task ' || ${d.task} || ' has a card' FROM ${d} CROSS JOIN ${k} ON ${k.task} = ${d.task}
      UNION ALL
      SELECT 'time entry ' || ${e.id} || ' of deleted task ' || ${d.task} || ' is running or not hidden'
      FROM ${d} CROSS JOIN ${e} INDEXED BY time_entries_by_task ON ${e.task} = ${d.task}
      WHERE ${e.ws} > 0 OR ${e.ended_at} IS NULL`),
  },
];
