import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { addExcludedValues } from '../../kernel/sql/expressions.queries.ts';
import {
  aliasTable,
  joinColumnNames,
  nameInsertColumns,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentCounts, dayColumns } from '../../schema/cell/counters.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { outdatedComments } from '../../schema/cell/trash.ts';
import { members } from '../../schema/cell/workspaces.ts';

const c = aliasTable(comments, 'c');
const w = aliasTable(outdatedComments, 'w');
const t = aliasTable(tasks, 't');

// `comment_counts` has one row per month, with a column per day, and one row for all time, whose month is ''. These
// rows exist per project (member 0), per assignee (project 0), and per project and assignee. They leave out comments
// on archived tasks.

const ALL_TIME_MONTH = '';
export const countColumns = ['total', ...dayColumns] as const;
const keyColumns = joinColumnNames(commentCounts, 'ws', 'member', 'project', 'month');
const insertColumns = nameInsertColumns(commentCounts, 'ws', 'member', 'project', 'month', ...countColumns);

const rowKinds = { project: 0, assignee: 1, both: 2 } as const;
type CountRowKind = keyof typeof rowKinds;
const allKinds = Object.keys(rowKinds) as CountRowKind[];
const projectRowKinds: readonly CountRowKind[] = ['project', 'both'];

/** @param changes a SELECT of ws, project, assignee, archived, day and amount. */
function applyCommentCountChanges(changes: SQL, kinds: readonly CountRowKind[] = allKinds): Statement<void> {
  const list = sql.raw(`'[${kinds.map((kind) => rowKinds[kind]).join(', ')}]'`);
  const days = sql.raw(dayColumns.map((_, index) => `sum(amount * (date = ${index + 1}))`).join(', '));
  return write(sql`
    INSERT INTO ${insertColumns}
    SELECT ws, member, project, month, sum(amount), ${days} FROM (
      SELECT c.ws AS ws, iif(kind.value = ${sql.raw(String(rowKinds.project))}, 0, c.assignee) AS member,
        iif(kind.value = ${sql.raw(String(rowKinds.assignee))}, 0, c.project) AS project,
        iif(span.value = 0, ${sql.raw(`'${ALL_TIME_MONTH}'`)}, substr(c.day, 1, 7)) AS month,
        iif(span.value = 0, 0, CAST(substr(c.day, 9) AS INTEGER)) AS date, c.amount AS amount
      FROM (
        SELECT ws, assignee, project, day, sum(amount) AS amount FROM (${changes}) WHERE archived = 0
        GROUP BY ws, assignee, project, day HAVING sum(amount) <> 0) c
      CROSS JOIN json_each(${list}) kind CROSS JOIN json_each('[0, 1]') span
      WHERE kind.value = ${sql.raw(String(rowKinds.project))} OR c.assignee > 0)
    WHERE true GROUP BY ws, member, project, month
    ON CONFLICT (${keyColumns}) DO UPDATE SET ${addExcludedValues(countColumns)}`);
}

const selectCountChanges = (amount: 1 | -1) => sql`
  SELECT ${c.ws} AS ws, ${c.project} AS project, ${c.assignee} AS assignee, ${c.archived} AS archived,
    ${c.day} AS day,
    ${sql.raw(String(amount))} AS amount FROM ${c}`;

/** Uses the task's values, because the comments of a moved task may still have the old ones (docs/adr/0056). */
const selectCountChangesByTask = (amount: 1 | -1) => sql`
  SELECT ${t.ws} AS ws, ${t.project} AS project, ${t.assignee} AS assignee, ${t.archived} AS archived,
    ${c.day} AS day, ${sql.raw(String(amount))} AS amount`;

export function changeCommentCount(id: SQL, amount: 1 | -1): Statement<void> {
  return applyCommentCountChanges(
    amount === 1
      ? sql`${selectCountChanges(1)} WHERE ${c.id} = ${id}`
      : sql`${selectCountChangesByTask(-1)} FROM ${c} CROSS JOIN ${t} ON ${t.id} = ${c.task} WHERE ${c.id} = ${id}`,
  );
}

/** Must run before the tasks change if `amount` is -1. */
export function adjustTaskCommentCounts(ids: SQL, amount: 1 | -1): Statement<void> {
  return applyCommentCountChanges(sql`
    ${selectCountChangesByTask(amount)}
    FROM ${t} NOT INDEXED CROSS JOIN ${c} INDEXED BY comments_by_task ON ${c.task} = ${t.id} WHERE ${t.id} IN (${ids})`);
}

export function addCommentCounts(ids: SQL): Statement<void> {
  return applyCommentCountChanges(sql`${selectCountChanges(1)} WHERE ${c.id} IN ${ids}`);
}

/** Must run before the batch deletes the comments. */
export function subtractCommentCounts(ids: SQL): Statement<void> {
  return applyCommentCountChanges(
    sql`${selectCountChangesByTask(-1)} FROM ${c} CROSS JOIN ${t} ON ${t.id} = ${c.task} WHERE ${c.id} IN ${ids}`,
  );
}

/**
 * Must run after the statement that changes the tasks, in the same batch, while the comments still have the old
 * values.
 */
export function updateTaskComments(ids: SQL): Statement<void>[] {
  const isElsewhere = sql`(abs(${c.assignee}) <> ${t.assignee} OR ${c.archived} <> ${t.archived})`;
  const moved = sql`
    ${c} INDEXED BY comments_by_task CROSS JOIN ${t} ON ${t.id} = ${c.task}
    WHERE ${c.task} IN (${ids}) AND ${isElsewhere}`;
  const selectShare = (place: typeof c | typeof t, amount: 1 | -1) => sql`
    SELECT ${c.ws} AS ws, ${t.project} AS project, abs(${place.assignee}) AS assignee, ${place.archived} AS archived,
      ${c.day} AS day,
      ${sql.raw(String(amount))} AS amount FROM ${moved}`;
  return [
    applyCommentCountChanges(sql`${selectShare(c, -1)} UNION ALL ${selectShare(t, 1)}`),
    write(sql`
      UPDATE ${comments} AS c INDEXED BY comments_by_task
        SET ${comments.project} = ${t.project}, ${comments.assignee} = ${t.assignee},
          ${comments.archived} = ${t.archived} FROM ${t}
      WHERE ${t.id} = ${c.task} AND ${c.task} IN (${ids}) AND ${isElsewhere}`),
  ];
}

export function deleteProjectCommentCounts({ id, ws }: { id: number; ws: number }): Statement<void> {
  return write(sql`
      DELETE FROM ${commentCounts} WHERE ${commentCounts.ws} = ${ws} AND ${commentCounts.project} = ${id}
      AND ${commentCounts.member} IN (SELECT 0 UNION ALL SELECT ${members.no} FROM ${members}
        WHERE ${members.ws} = ${ws})`);
}

export function recountProjectComments({ id, ws }: { id: number; ws: number }): Statement<void>[] {
  return [
    deleteProjectCommentCounts({ id, ws }),
    applyCommentCountChanges(
      sql`${selectCountChanges(1)} INDEXED BY comments_by_project WHERE ${c.project} = ${id} AND ${c.archived} = 0
        AND ${c.ws} = ${ws}`,
      projectRowKinds,
    ),
  ];
}

export function recountAssigneeComments(ws: number): Statement<void>[] {
  const sums = sql.raw(countColumns.map((column) => `sum(${column})`).join(', '));
  return [
    write(sql`DELETE FROM ${commentCounts} WHERE ${commentCounts.ws} = ${ws} AND ${commentCounts.member} > 0
      AND ${commentCounts.project} = 0`),
    write(sql`
      INSERT INTO ${insertColumns}
      SELECT ${commentCounts.ws}, ${commentCounts.member}, 0, ${commentCounts.month}, ${sums}
        FROM ${commentCounts} WHERE ${commentCounts.ws} = ${ws} AND ${commentCounts.member} > 0
        AND ${commentCounts.project} > 0
      GROUP BY ${commentCounts.ws}, ${commentCounts.member}, ${commentCounts.month}`),
  ];
}

const idColumn = selectColumns({ id: comments.id });

export function copyTaskValuesToComments(ids: SQL): Statement<{ id: number }[]> {
  return readRows(sql`
    UPDATE ${comments} AS c INDEXED BY comments_by_task
    SET ${comments.project} = ${t.project}, ${comments.assignee} = ${t.assignee},
      ${comments.archived} = ${t.archived} FROM ${t}
    WHERE ${c.task} IN (${ids}) AND ${t.id} = ${c.task}
    AND (${c.project} <> ${t.project} OR ${c.assignee} <> ${t.assignee} OR ${c.archived} <> ${t.archived})
    RETURNING ${idColumn}`);
}

const isOutdated = sql`(${c.project} <> ${t.project} OR ${c.assignee} <> ${t.assignee} OR ${c.archived} <> ${t.archived})`;

export function updateOutdatedComments(ids: SQL, limit: number): Statement<void> {
  return write(sql`
    UPDATE ${comments} AS c SET ${comments.project} = ${t.project}, ${comments.assignee} = ${t.assignee},
      ${comments.archived} = ${t.archived} FROM ${t}
    WHERE ${t.id} = ${c.task} AND ${c.id} IN (
      SELECT ${c.id} FROM ${t} NOT INDEXED CROSS JOIN ${c} INDEXED BY comments_by_task ON ${c.task} = ${t.id}
      WHERE ${t.id} IN (${ids}) AND ${isOutdated} LIMIT ${limit})`);
}

export function saveTasksWithOutdatedComments(ids: SQL): Statement<void> {
  return write(sql`
    INSERT OR IGNORE INTO ${nameInsertColumns(outdatedComments, 'task', 'ws')}
    SELECT ${t.id}, abs(${t.ws}) FROM ${t} NOT INDEXED WHERE ${t.id} IN (${ids}) AND EXISTS (
      SELECT 1 FROM ${c} INDEXED BY comments_by_task WHERE ${c.task} = ${t.id} AND ${isOutdated})`);
}

export function hasTasksWithOutdatedComments(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${w})`;
}

const TASKS_PER_SLICE = 20;
const COMMENTS_PER_SLICE = 1_000;
export const STATEMENTS_PER_OUTDATED_SLICE = 3;

const outdatedColumns = selectColumns({ task: w.task });

/** The last statement returns a task whose comments are still outdated, if there is one. */
export function updateOutdatedCommentSlice(): [
  Statement<void>,
  Statement<void>,
  Statement<{ task: number }[]>,
] {
  const slice = sql`SELECT ${w.task} FROM ${w} ORDER BY ${w.task} LIMIT ${TASKS_PER_SLICE}`;
  return [
    updateOutdatedComments(slice, COMMENTS_PER_SLICE),
    write(sql`
      DELETE FROM ${outdatedComments} WHERE ${outdatedComments.task} IN (${slice}) AND NOT EXISTS (
        SELECT 1 FROM ${t} NOT INDEXED CROSS JOIN ${c} INDEXED BY comments_by_task ON ${c.task} = ${t.id}
        WHERE ${t.id} = ${outdatedComments}.task AND ${isOutdated})`),
    readRows(sql`SELECT ${outdatedColumns} FROM ${w} LIMIT 1`),
  ];
}
