// This file is long because the statements that list, delete and rebuild counters must cover the same rows.

import { isAfterFirstEvent } from '../../events/log/task-events.queries.ts';
import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { addExcludedValues } from '../../kernel/sql/expressions.queries.ts';
import {
  aliasTable,
  type ColumnNameOf,
  joinColumnNames,
  nameInsertColumns,
  type Row,
  selectColumns,
  selectEveryColumn,
  sql,
} from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import {
  commentCounts,
  dueDays,
  memberHalfMonths,
  otherAssigneeCounts,
  subtaskCounts,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { events } from '../../schema/cell/events.ts';
import { projects } from '../../schema/cell/projects.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { deleteWrongOtherAssignees, insertMissingOtherAssignees } from '../model/other-assignees.queries.ts';
import { selectIds, selectProjectTasks } from '../model/selection.queries.ts';
import { completedStatus } from '../statuses.queries.ts';
import {
  countColumns as commentColumns,
  copyTaskValuesToComments,
  deleteProjectCommentCounts,
  recountAssigneeComments,
  recountProjectComments,
} from './comment-counts.queries.ts';
import { addTaskCounts, assignedColumns, halfMonthColumnNames } from './count-changes.queries.ts';
import { recountLabels } from './label-counts.queries.ts';

const c = aliasTable(comments, 'c');
const e = aliasTable(events, 'e');
const f = aliasTable(followers, 'f');
const h = aliasTable(memberHalfMonths, 'h');
const m = aliasTable(members, 'm');
const s = aliasTable(tasks, 's');
const t = aliasTable(tasks, 't');

const projectKeyColumns = selectColumns({ id: projects.id, ws: projects.ws });
export type ProjectKey = Row<typeof projectKeyColumns>;

export function listProjectKeys(after: number, limit: number): Statement<ProjectKey[]> {
  return readRows(
    sql`SELECT ${projectKeyColumns} FROM ${projects} WHERE ${projects.id} > ${after} ORDER BY ${projects.id} LIMIT ${limit}`,
  );
}

export function listTaskCounts(project: ProjectKey) {
  return readRows(sql`
    SELECT ${selectEveryColumn(taskCounts)} FROM ${taskCounts} WHERE ${taskCounts.ws} = ${project.ws} AND ${taskCounts.project} = ${project.id}
      ORDER BY ${taskCounts.member}`);
}

export function listSubtaskCounts({ ws, id }: ProjectKey) {
  return readRows(sql`
    SELECT ${selectEveryColumn(subtaskCounts)} FROM ${subtaskCounts} WHERE ${subtaskCounts.ws} = ${ws}
      AND ${subtaskCounts.project} = ${id} ORDER BY ${subtaskCounts.member}`);
}

export function listOtherAssigneeCounts({ ws, id }: ProjectKey) {
  return readRows(sql`
    SELECT ${selectEveryColumn(otherAssigneeCounts)} FROM ${otherAssigneeCounts}
    WHERE ${otherAssigneeCounts.ws} = ${ws} AND ${otherAssigneeCounts.project} = ${id}
    ORDER BY ${otherAssigneeCounts.member}, ${otherAssigneeCounts.is_subtask}`);
}

export function listDueDays(project: ProjectKey) {
  return readRows(sql`SELECT ${selectEveryColumn(dueDays)} FROM ${dueDays} WHERE ${dueDays.project} = ${project.id}
    ORDER BY ${dueDays.day}`);
}

export function listMemberHalfMonths(project: ProjectKey) {
  return readRows(sql`
    SELECT ${selectEveryColumn(memberHalfMonths, 'h')} FROM ${m} CROSS JOIN ${h} ON ${h.ws} = ${m.ws} AND ${h.member} = ${m.no}
      AND ${h.project} = ${project.id}
    WHERE ${m.ws} = ${project.ws} ORDER BY ${h.member}, ${h.half}`);
}

export function listCommentCounts(project: ProjectKey) {
  return readRows(sql`
    SELECT ${selectEveryColumn(commentCounts)} FROM ${commentCounts} WHERE ${commentCounts.ws} = ${project.ws}
      AND ${commentCounts.project} = ${project.id}
    AND ${commentCounts.member} IN (SELECT 0
      UNION ALL SELECT ${members.no} FROM ${members} WHERE ${members.ws} = ${project.ws})
      ORDER BY ${commentCounts.member}, ${commentCounts.month}`);
}

/** The batch must also read the counters before and after the recount, so that no other write happens in between. */
export function recountProjectCounters(project: ProjectKey): Statement<void>[] {
  return [
    ...deleteTaskCounts(project),
    ...deleteDetailedCounts(project),
    ...addTaskCounts(project.ws, selectProjectTasks(project.id), { mayHaveTags: false }),
    ...recountLabels(project),
    ...recountProjectComments(project),
  ];
}

function deleteTaskCounts(project: ProjectKey): Statement<void>[] {
  const { ws, id } = project;
  return [
    subtractFromTotals(taskCounts, [], assignedColumns, project),
    subtractFromTotals(memberHalfMonths, ['half'], halfMonthColumnNames, project),
    write(sql`DELETE FROM ${taskCounts} WHERE ${taskCounts.ws} = ${ws} AND ${taskCounts.project} = ${id}`),
  ];
}

/** Deletes the counts by day, the subtask counts and the counts of other assignees. */
export function deleteDetailedCounts({ ws, id }: ProjectKey): Statement<void>[] {
  const people = sql`(SELECT ${members.no} FROM ${members} WHERE ${members.ws} = ${ws})`;
  return [
    write(sql`DELETE FROM ${memberHalfMonths} WHERE ${memberHalfMonths.ws} = ${ws} AND ${memberHalfMonths.member} IN ${people}
      AND ${memberHalfMonths.project} = ${id}`),
    write(sql`DELETE FROM ${dueDays} WHERE ${dueDays.project} = ${id}`),
    write(
      sql`DELETE FROM ${subtaskCounts} WHERE ${subtaskCounts.ws} = ${ws} AND ${subtaskCounts.project} = ${id}`,
    ),
    write(sql`DELETE FROM ${otherAssigneeCounts} WHERE ${otherAssigneeCounts.ws} = ${ws}
      AND ${otherAssigneeCounts.project} = ${id}`),
  ];
}

/**
 * Keeps the flow counts, the tag counts and the counts that `deleteDetailedCounts` deletes. They don't affect any
 * results once the tasks are hidden, so `deleteSlice` deletes them later.
 */
export function deleteProjectCounts(project: ProjectKey): Statement<void>[] {
  return [
    ...deleteTaskCounts(project),
    subtractFromTotals(commentCounts, ['month'], commentColumns, project),
    deleteProjectCommentCounts(project),
  ];
}

function subtractFromTotals<T extends typeof taskCounts | typeof memberHalfMonths | typeof commentCounts>(
  table: T,
  keys: readonly ColumnNameOf<T>[],
  columns: readonly ColumnNameOf<T>[],
  { ws, id }: ProjectKey,
): Statement<void> {
  const key = ['ws', 'member', 'project', ...keys] as const;
  const c = aliasTable<typeof taskCounts | typeof memberHalfMonths | typeof commentCounts>(table, 'c');
  return write(sql`
    INSERT INTO ${nameInsertColumns(table, ...key, ...columns)}
    SELECT ${c.ws}, ${c.member}, 0, ${sql.raw(keys.map((each) => `c.${each}, `).join(''))}
      ${sql.raw(columns.map((column) => `-c.${column}`).join(', '))}
    FROM ${m} CROSS JOIN ${c} ON ${c.ws} = ${m.ws} AND ${c.member} = ${m.no} AND ${c.project} = ${id}
    WHERE ${m.ws} = ${ws}
    ON CONFLICT (${joinColumnNames(table, ...key)}) DO UPDATE SET ${addExcludedValues(columns)}`);
}

const memberKeyColumns = selectColumns({ no: members.no, ws: members.ws });
export type MemberKey = Row<typeof memberKeyColumns>;

export function listMemberKeys(after: number, limit: number): Statement<MemberKey[]> {
  return readRows(
    sql`SELECT ${memberKeyColumns} FROM ${members} WHERE ${members.no} > ${after} ORDER BY ${members.no} LIMIT ${limit}`,
  );
}

export function listMemberTotals({ ws, no }: MemberKey) {
  const buildWhereClause = (of: typeof taskCounts | typeof memberHalfMonths) =>
    sql`WHERE ${of.ws} = ${ws} AND ${of.member} = ${no} AND ${of.project} = 0`;
  return [
    readRows(sql`SELECT ${selectEveryColumn(taskCounts)} FROM ${taskCounts} ${buildWhereClause(taskCounts)}`),
    readRows(
      sql`SELECT ${selectEveryColumn(memberHalfMonths)} FROM ${memberHalfMonths} ${buildWhereClause(memberHalfMonths)} ORDER BY ${memberHalfMonths.half}`,
    ),
  ] as const;
}

export function recountMemberCounters({ ws, no }: MemberKey): Statement<void>[] {
  const sumColumns = (columns: readonly string[]) =>
    sql.raw(columns.map((column) => `sum(${column})`).join(', '));
  const buildWhereClause = (of: typeof taskCounts | typeof memberHalfMonths) =>
    sql`WHERE ${of.ws} = ${ws} AND ${of.member} = ${no}`;
  return [
    write(sql`DELETE FROM ${taskCounts} ${buildWhereClause(taskCounts)} AND ${taskCounts.project} = 0`),
    write(sql`
      INSERT INTO ${nameInsertColumns(taskCounts, 'ws', 'member', 'project', ...assignedColumns)}
      SELECT ${taskCounts.ws}, ${taskCounts.member}, 0, ${sumColumns(assignedColumns)}
        FROM ${taskCounts} ${buildWhereClause(taskCounts)}
        AND ${taskCounts.project} > 0 GROUP BY ${taskCounts.ws}, ${taskCounts.member}`),
    write(
      sql`DELETE FROM ${memberHalfMonths} ${buildWhereClause(memberHalfMonths)} AND ${memberHalfMonths.project} = 0`,
    ),
    write(sql`
      INSERT INTO ${nameInsertColumns(memberHalfMonths, 'ws', 'member', 'project', 'half', ...halfMonthColumnNames)}
      SELECT ${memberHalfMonths.ws}, ${memberHalfMonths.member}, 0, ${memberHalfMonths.half}, ${sumColumns(halfMonthColumnNames)}
        FROM ${memberHalfMonths} ${buildWhereClause(memberHalfMonths)} AND ${memberHalfMonths.project} > 0
      GROUP BY ${memberHalfMonths.ws}, ${memberHalfMonths.member}, ${memberHalfMonths.half}`),
  ];
}

const entryCount = sql`(
  (SELECT coalesce(sum(${e.entries}), 0) FROM ${e} INDEXED BY events_by_task
    WHERE ${e.task} = ${t.id} AND ${isAfterFirstEvent(e)})
  + coalesce((SELECT ${e.entries} FROM ${e} WHERE ${e.ws} = ${t.ws} AND ${e.seq} = ${t.first_event}), 0))`;

const idColumn = selectColumns({ id: tasks.id });

export function repairTaskCounts(project: ProjectKey): Statement<{ id: number }[]> {
  return readRows(sql`
    UPDATE ${tasks} AS t INDEXED BY tasks_by_project SET
      ${tasks.comment_count} = (SELECT count(*) FROM ${c} WHERE ${c.task} = ${t.id}),
      ${tasks.activity_count} = ${entryCount}
    WHERE ${t.project} = ${project.id} AND (
      ${t.comment_count} <> (SELECT count(*) FROM ${c} WHERE ${c.task} = ${t.id})
      OR ${t.activity_count} <> ${entryCount})
    RETURNING ${idColumn}`);
}

export function repairSubtaskCounts({ id, ws }: ProjectKey): Statement<{ id: number }[]> {
  const counted = sql`SELECT ${s.parent} AS parent, count(*) AS total, sum(${s.status} = ${completedStatus}) AS completed
    FROM ${s} INDEXED BY tasks_by_project
    WHERE ${s.project} = ${id} AND ${s.archived} = 0 AND ${s.parent} IS NOT NULL GROUP BY ${s.parent}`;
  return readRows(sql`
    UPDATE ${tasks} SET ${tasks.subtask_count} = wrong.total, ${tasks.subtasks_completed} = wrong.completed
    FROM (SELECT ${t.id}, coalesce(k.total, 0) AS total, coalesce(k.completed, 0) AS completed
      FROM ${t} INDEXED BY tasks_by_project LEFT JOIN (${counted}) k ON k.parent = ${t.id}
      WHERE ${t.project} = ${id} AND (${t.subtask_count} <> coalesce(k.total, 0)
        OR ${t.subtasks_completed} <> coalesce(k.completed, 0))) wrong
    WHERE ${tasks}.id = wrong.id AND ${tasks}.ws = ${ws}
    RETURNING ${idColumn}`);
}

export function repairFollowerLists({ id, ws }: ProjectKey): Statement<{ id: number }[]> {
  const kept = sql`SELECT ${f.task}, json_group_array(${f.member} ORDER BY ${f.member}) AS list
    FROM ${m} CROSS JOIN ${f} ON ${f.member} = ${m.no} AND ${f.project} = ${id}
    WHERE ${m.ws} = ${ws} GROUP BY ${f.task}`;
  return readRows(sql`
    UPDATE ${tasks} SET ${tasks.followers} = wrong.list
    FROM (SELECT ${t.id}, coalesce(k.list, '[]') AS list
      FROM ${t} INDEXED BY tasks_by_project LEFT JOIN (${kept}) k ON k.task = ${t.id}
      WHERE ${t.project} = ${id} AND ${t.followers} <> coalesce(k.list, '[]')) wrong
    WHERE ${tasks}.id = wrong.id
    RETURNING ${idColumn}`);
}

/** Returns a row for each wrong or missing row of `other_assignees`. */
export function repairOtherAssignees({ id, ws }: ProjectKey): Statement<{ id: number }[]>[] {
  return [deleteWrongOtherAssignees(ws, id), insertMissingOtherAssignees(ws, id)];
}

/** Must run before the comments are counted. Returns the comments that didn't match their task. */
export function repairCommentCopies(project: ProjectKey): Statement<{ id: number }[]> {
  return copyTaskValuesToComments(selectIds(selectProjectTasks(project.id)));
}

export function listAssigneeCommentCounts(ws: number) {
  return readRows(sql`
    SELECT ${selectEveryColumn(commentCounts)} FROM ${commentCounts} WHERE ${commentCounts.ws} = ${ws} AND ${commentCounts.member} > 0
      AND ${commentCounts.project} = 0 ORDER BY ${commentCounts.member}, ${commentCounts.month}`);
}

export function recountAssignees(ws: number): Statement<void>[] {
  return recountAssigneeComments(ws);
}
