import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { isOpenTask } from '../../tasks/model/relations.queries.ts';
import { createOffenderQuery, type Invariant, selectCounterErrors } from './invariant.queries.ts';

const n = aliasTable(taskRelations, 'n');
const r = aliasTable(taskRelations, 'r');
const s = aliasTable(tasks, 's');
const t = aliasTable(tasks, 't');

export const relationInvariants: readonly Invariant[] = [
  {
    name: 'relations are between two tasks of their workspace, and no pair has the same relation twice',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'relation ' || ${r.id} || ' is not between two tasks of its workspace' AS offender FROM ${r}
      WHERE ${within(r.source)} AND (${r.source} = ${r.target}
        OR ${r.type} = 'relates_to' AND ${r.source} > ${r.target}
        OR NOT EXISTS (SELECT 1 FROM ${s} WHERE ${s.id} = ${r.source} AND abs(${s.ws}) = ${r.ws})
        OR NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${r.target} AND abs(${t.ws}) = ${r.ws}))
      UNION ALL
      SELECT 'relation ' || ${r.id} || ' repeats relation ' || ${n.id} FROM ${r} CROSS JOIN ${n}
        INDEXED BY task_relations_by_source ON ${n.ws} = ${r.ws} AND ${n.source} = ${r.target}
          AND ${n.type} = ${r.type} AND ${n.target} = ${r.source}
      WHERE ${within(r.source)} AND ${r.type} <> 'blocks'`,
    ),
  },
  {
    name: 'no task blocks itself through other tasks',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'task ' || start || ' blocks itself' AS offender FROM (
        WITH RECURSIVE blocked (ws, start, id) AS (
          SELECT ${r.ws}, ${r.source}, ${r.target} FROM ${r} WHERE ${within(r.source)} AND ${r.type} = 'blocks'
          UNION
          SELECT b.ws, b.start, ${n.target} FROM blocked b CROSS JOIN ${n} INDEXED BY task_relations_by_source
            ON ${n.ws} = b.ws AND ${n.source} = b.id AND ${n.type} = 'blocks')
        SELECT DISTINCT start FROM blocked WHERE id = start)`,
    ),
  },
  {
    name: 'the open_blockers of every task match its relations',
    over: 'tasks',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'tasks',
        ['task'],
        ['open_blockers'],
        sql`SELECT ${tasks.id} AS task, ${tasks.open_blockers} FROM ${tasks}
          WHERE ${within(sql`${tasks.id}`)} AND ${tasks.ws} > 0
        UNION ALL SELECT ${r.target}, -count(*) FROM ${r} CROSS JOIN ${s} ON ${s.id} = ${r.source}
          CROSS JOIN ${t} ON ${t.id} = ${r.target} AND ${t.ws} > 0
          WHERE ${within(r.target)} AND ${r.type} = 'blocks' AND ${s.ws} > 0 AND ${isOpenTask(s)} GROUP BY ${r.target}`,
      ),
    ),
  },
];
