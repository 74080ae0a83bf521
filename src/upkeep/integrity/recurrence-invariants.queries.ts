import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { recurrences } from '../../schema/cell/recurrences.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const n = aliasTable(recurrences, 'n');
const r = aliasTable(recurrences, 'r');
const t = aliasTable(tasks, 't');

export const recurrenceInvariants: readonly Invariant[] = [
  {
    name: 'every recurrence belongs to a task that stores the same mode',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'recurrence of task ' || ${r.task} || ' belongs to no task' AS offender FROM ${r}
      WHERE ${within(r.task)} AND NOT EXISTS (
        SELECT 1 FROM ${t} WHERE ${t.id} = ${r.task} AND abs(${t.ws}) = ${r.ws})
      UNION ALL
      SELECT 'task ' || ${t.id} || ' stores a different mode than its recurrence' FROM ${t} NOT INDEXED LEFT JOIN ${r} ON ${r.task} = ${t.id}
      WHERE ${within(t.id)} AND ${t.ws} > 0 AND ${t.repeats} <> CASE
        WHEN ${r.rule} IS NULL THEN 0 WHEN ${r.mode} = 'schedule' THEN 1 ELSE 2 END`,
    ),
  },
  {
    name: 'every scheduled recurrence has a due time, and only the last task of a series has a rule',
    offenders: createOffenderQuery(sql`
      SELECT 'recurrence of task ' || ${r.task} || ' is never due, or has no rule' AS offender FROM ${r}
      CROSS JOIN ${t} ON ${t.id} = ${r.task} AND ${t.ws} = ${r.ws}
      WHERE (${r.due_at} IS NOT NULL) <> (${r.rule} IS NOT NULL AND ${r.mode} = 'schedule')
      UNION ALL
      SELECT 'recurrence of task ' || ${r.task} || ' is not continued by task ' || ${r.next_task} FROM ${r}
      CROSS JOIN ${n} ON ${n.task} = ${r.next_task}
      WHERE ${n.previous_task} <> ${r.task} OR ${n.ws} <> ${r.ws} OR ${r.rule} IS NOT NULL`),
  },
];
