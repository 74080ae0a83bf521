import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { followers, otherAssignees, tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { ASSIGNEES_MAX } from '../../tasks/fields.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const f = aliasTable(followers, 'f');
const m = aliasTable(members, 'm');
const q = aliasTable(otherAssignees, 'q');
const t = aliasTable(tasks, 't');

const othersMax = sql.raw(String(ASSIGNEES_MAX - 1));

export const otherAssigneeInvariants: readonly Invariant[] = [
  {
    name: 'other assignees follow the task, each is listed once, and the task also has a first assignee',
    over: 'tasks',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'task ' || ${t.id} || ' has other assignees ' || ${t.other_assignees} || ' after ' || ${t.assignee}
        AS offender
      FROM ${t} NOT INDEXED WHERE ${within(t.id)} AND ${t.ws} > 0 AND ${t.other_assignees} <> '[]'
        AND (${t.assignee} = 0 OR json_array_length(${t.other_assignees}) > ${othersMax}
          OR (SELECT count(DISTINCT n.value) FROM json_each(${t.other_assignees}) n
            CROSS JOIN ${m} ON ${m.no} = n.value AND ${m.ws} = ${t.ws}
            CROSS JOIN ${f} ON ${f.member} = n.value AND ${f.project} = ${t.project} AND ${f.task} = ${t.id}
            WHERE n.value <> ${t.assignee}) <> json_array_length(${t.other_assignees}))`,
    ),
  },
  {
    name: 'the rows of other_assignees match the tasks',
    over: 'tasks',
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'member ' || n.value || ' has no row as another assignee of task ' || ${t.id} AS offender
      FROM ${t} NOT INDEXED CROSS JOIN json_each(${t.other_assignees}) n
      WHERE ${within(t.id)} AND ${t.ws} > 0
        AND NOT EXISTS (SELECT 1 FROM ${q} WHERE ${q.id} = ${t.id} AND ${q.assignee} = n.value)
      UNION ALL
      SELECT 'member ' || ${q.assignee} || ' has an outdated row as another assignee of task ' || ${q.id} FROM ${q}
      WHERE ${within(q.id)} AND NOT EXISTS (
        SELECT 1 FROM ${t} CROSS JOIN json_each(${t.other_assignees}) n
        WHERE ${t.id} = ${q.id} AND n.value = ${q.assignee} AND ${t.ws} = ${q.ws} AND ${t.project} = ${q.project}
          AND ${t.assignee} = ${q.first_assignee} AND ${t.status} = ${q.status} AND ${t.priority} = ${q.priority}
          AND ${t.archived} = ${q.archived} AND ${t.due} = ${q.due} AND ${t.parent} IS ${q.parent})`,
    ),
  },
];
