import { aliasTable, joinColumnNames, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentCounts, dayColumns } from '../../schema/cell/counters.ts';
import { reactions } from '../../schema/cell/reactions.ts';
import { commentSearch } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { outdatedComments } from '../../schema/cell/trash.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { createOffenderQuery, type Invariant, selectCounterErrors } from './invariant.queries.ts';

const c = aliasTable(comments, 'c');
const parent = aliasTable(comments, 'pc');
const m = aliasTable(members, 'm');
const o = aliasTable(outdatedComments, 'o');
const r = aliasTable(reactions, 'r');
const s = aliasTable(commentSearch, 's');
const t = aliasTable(tasks, 't');

const countColumns = ['total', ...dayColumns] as const;
const negatedDayCounts = sql.join(
  dayColumns.map(
    (_, index) => sql`-sum(CAST(substr(${c.day}, 9) AS INTEGER) = ${sql.raw(String(index + 1))})`,
  ),
  sql`, `,
);
const zeroDayCounts = sql.raw(dayColumns.map(() => '0').join(', '));

/** Selects the negated actual counts, in one row per month and one row for the total. */
function selectNegatedCounts(member: SQL, condition: SQL): SQL {
  const from = sql`FROM ${t} CROSS JOIN ${c} ON ${c.task} = ${t.id} WHERE ${t.archived} = 0 AND ${t.ws} > 0 AND ${condition}`;
  const place = sql`${t.ws}, ${member}, ${t.project}`;
  return sql`
    SELECT ${place}, '', -count(*), ${zeroDayCounts} ${from} GROUP BY 1, 2, 3
    UNION ALL
    SELECT ${place}, substr(${c.day}, 1, 7), -count(*), ${negatedDayCounts} ${from} GROUP BY 1, 2, 3, 4`;
}

export const commentInvariants: readonly Invariant[] = [
  {
    name: 'comments have the project, assignee and archived flag of their task',
    over: 'tasks',
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'comment ' || ${c.id} || ' has an outdated project, assignee or archived flag' AS offender FROM ${c}
      JOIN ${t} ON ${t.id} = ${c.task} AND abs(${t.ws}) = ${c.ws} WHERE ${within(c.task)}
        AND NOT EXISTS (SELECT 1 FROM ${o} WHERE ${o.task} = ${t.id})
        AND (${c.project} <> ${t.project} OR ${c.assignee} <> ${t.assignee} OR ${c.archived} <> ${t.archived})`,
    ),
  },
  {
    name: 'comment_counts of projects match the comments',
    over: 'projects',
    repairedBy: 'counters',
    offenders: createOffenderQuery((within) =>
      selectCounterErrors(
        'comment_counts',
        ['ws', 'project', 'member', 'month'],
        countColumns,
        sql`SELECT ${commentCounts.ws}, ${commentCounts.member}, ${commentCounts.project},
          ${commentCounts.month}, ${joinColumnNames(commentCounts, ...countColumns)} FROM ${commentCounts}
          WHERE ${within(sql`${commentCounts.project}`)} AND ${commentCounts.project} > 0
        UNION ALL ${selectNegatedCounts(sql`0`, within(t.project))}
        UNION ALL ${selectNegatedCounts(t.assignee, sql`${within(t.project)} AND ${t.assignee} > 0`)}`,
      ),
    ),
  },
  {
    name: "an assignee's comment_counts are the sums of their comment_counts per project",
    repairedBy: 'counters',
    offenders: createOffenderQuery(
      selectCounterErrors(
        'comment_counts',
        ['ws', 'member', 'month'],
        countColumns,
        sql`SELECT ${commentCounts.ws}, ${commentCounts.member}, ${commentCounts.month},
          ${joinColumnNames(commentCounts, ...countColumns)}
          FROM ${commentCounts} WHERE ${commentCounts.member} > 0 AND ${commentCounts.project} = 0
        UNION ALL
        SELECT ${commentCounts.ws}, ${commentCounts.member}, ${commentCounts.month},
          ${sql.raw(countColumns.map((column) => `-${column}`).join(', '))} FROM ${commentCounts}
          WHERE ${commentCounts.member} > 0 AND ${commentCounts.project} > 0`,
      ),
    ),
  },
  {
    name: 'every reaction belongs to a comment and lists members of its workspace, each once',
    offenders: createOffenderQuery(sql`
      SELECT 'reaction ' || ${r.reaction} || ' to comment ' || ${r.comment} || ' lists ' || ${r.people} AS offender
      FROM ${r} WHERE NOT EXISTS (SELECT 1 FROM ${c} WHERE ${c.id} = ${r.comment} AND ${c.ws} = ${r.ws})
        OR ${r.people} = '[]'
        OR json_array_length(${r.people}) <> (SELECT count(DISTINCT j.value) FROM json_each(${r.people}) j
          CROSS JOIN ${m} ON ${m.no} = j.value AND ${m.ws} = ${r.ws} WHERE j.type = 'integer')`),
  },
  {
    name: 'every reply belongs to a comment on the same task that is not a reply itself, or to a deleted comment',
    offenders: createOffenderQuery(sql`
      SELECT 'comment ' || ${c.id} || ' replies to comment ' || ${c.parent} AS offender
      FROM ${c} CROSS JOIN ${parent} ON ${parent.id} = ${c.parent}
      WHERE ${parent.task} <> ${c.task} OR ${parent.ws} <> ${c.ws} OR ${parent.parent} IS NOT NULL`),
  },
  {
    name: 'comment ids in a workspace are ordered by day and time',
    offenders: createOffenderQuery(sql`
      SELECT 'comment ' || id || ' is older than the comment before it' AS offender FROM (
        SELECT id, day, created_at, lag(day) OVER before AS last_day, lag(created_at) OVER before AS last_at
        FROM ${comments} WINDOW before AS (PARTITION BY ws ORDER BY id))
      WHERE day < last_day OR created_at < last_at`),
  },
  {
    name: 'every comment has its row in comment_search',
    over: 'tasks',
    repairedBy: 'search',
    offenders: createOffenderQuery(
      (within) => sql`
      SELECT 'comment ' || ${c.id} || ' is not in the index' AS offender FROM ${c}
      WHERE ${within(c.task)}
        AND NOT EXISTS (SELECT 1 FROM ${s} WHERE s.rowid = (${c.ws} << 32) | ${c.id})`,
    ),
  },
  {
    name: 'every row of comment_search belongs to a comment',
    repairedBy: 'search',
    offenders: createOffenderQuery(sql`
      SELECT 'row ' || s.rowid || ' of the index belongs to no comment' AS offender FROM ${s}
      WHERE NOT EXISTS (SELECT 1 FROM ${c}
        WHERE ${c.id} = (s.rowid & 4294967295) AND s.rowid = (${c.ws} << 32) | ${c.id})`),
  },
];
