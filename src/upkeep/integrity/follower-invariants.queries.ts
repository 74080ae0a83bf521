import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const f = aliasTable(followers, 'f');
const n = aliasTable(followers, 'n');
const t = aliasTable(tasks, 't');

/**
 * Selects the members who follow tasks. The checks below go through the tasks that each member follows, because no
 * index of `followers` starts with the project.
 */
const followingMembers = sql`(
  WITH RECURSIVE person (no) AS (SELECT min(${f.member}) FROM ${f} UNION ALL
    SELECT (SELECT min(${n.member}) FROM ${n} WHERE ${n.member} > person.no) FROM person WHERE person.no IS NOT NULL)
  SELECT no FROM person)`;

export const followerInvariants: readonly Invariant[] = [
  {
    name: 'assignees follow their tasks, and followed tasks exist',
    over: 'projects',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'member ' || ${t.assignee} || ' is assigned to task ' || ${t.id} || ' but does not follow it' AS offender
      FROM ${t} INDEXED BY tasks_by_project WHERE ${within(t.project)} AND ${t.ws} > 0 AND ${t.assignee} > 0
        AND NOT EXISTS (SELECT 1 FROM ${f} WHERE ${f.member} = ${t.assignee} AND ${f.project} = ${t.project}
          AND ${f.task} = ${t.id})
      UNION ALL
      SELECT 'member ' || ${f.member} || ' follows task ' || ${f.task} || ' in project ' || ${f.project} ||
        ', which does not exist'
      FROM ${followingMembers} p CROSS JOIN ${f} ON ${f.member} = p.no AND ${within(f.project)}
      WHERE NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${f.task} AND abs(${t.project}) = ${f.project})`,
    ),
  },
  {
    name: 'a task lists each follower once, in order',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'task ' || ${t.id} || ' has an outdated list of followers' AS offender
      FROM ${t} INDEXED BY tasks_by_project LEFT JOIN (
        SELECT ${f.project}, ${f.task}, json_group_array(${f.member} ORDER BY ${f.member}) AS list
        FROM ${followingMembers} p CROSS JOIN ${f} ON ${f.member} = p.no AND ${within(f.project)}
        GROUP BY ${f.project}, ${f.task}) k ON k.project = ${t.project} AND k.task = ${t.id}
      WHERE ${within(t.project)} AND ${t.ws} > 0 AND ${t.followers} <> coalesce(k.list, '[]')`,
    ),
  },
];
