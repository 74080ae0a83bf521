import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { reminders } from '../../schema/cell/reminders.ts';
import { NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const m = aliasTable(members, 'm');
const r = aliasTable(reminders, 'r');
const t = aliasTable(tasks, 't');

export const reminderInvariants: readonly Invariant[] = [
  {
    name: 'every reminder belongs to a member of the workspace and to a task marked as having reminders',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'reminder of task ' || ${r.task} || ' belongs to no marked task or to no person' AS offender FROM ${r}
      WHERE ${within(r.task)} AND NOT EXISTS (
        SELECT 1 FROM ${t} CROSS JOIN ${m} ON ${m.no} = ${r.member} AND ${m.ws} = ${r.ws}
        WHERE ${t.id} = ${r.task} AND abs(${t.ws}) = ${r.ws} AND ${t.has_reminders} = 1)`,
    ),
  },
  {
    name: 'only tasks with a deadline have a due time',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'task ' || ${t.id} || ' has a due time without a deadline' AS offender FROM ${t} NOT INDEXED
      WHERE ${within(t.id)} AND ${t.ws} > 0 AND ${t.due} = ${sql.raw(`'${NO_DEADLINE}'`)} AND ${t.due_time} IS NOT NULL`,
    ),
  },
];
