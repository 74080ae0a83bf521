import { isAfterFirstEvent } from '../../events/log/task-events.queries.ts';
import { readNumber, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { checklists } from '../../schema/cell/checklists.ts';
import { events } from '../../schema/cell/events.ts';
import { recurrences } from '../../schema/cell/recurrences.ts';
import { reminders } from '../../schema/cell/reminders.ts';
import {
  detailSearch,
  detailTexts,
  taskSearch,
  unindexedTasks,
  waitingDetails,
} from '../../schema/cell/search.ts';
import { followers, longTexts, tasks } from '../../schema/cell/tasks.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const e = aliasTable(events, 'e');
const t = aliasTable(tasks, 't');
const u = aliasTable(tasks, 'u');
const w = aliasTable(workspaces, 'w');

/** Events have their own limit, because a task can have any number of them. */
const EVENTS_PER_SLICE = 1_000;

export const STATEMENTS_PER_REMOVAL = 17;

const idColumn = selectColumns({ id: tasks.id });

/** @param from the FROM and WHERE clauses that select hidden tasks as `t`. */
export function selectRemovedTasks(from: SQL): SQL {
  return sql`(
    SELECT ${t.id} AS id, -${t.project} AS project, ${t.followers} AS followers, ${t.first_event} AS first_event,
      ${t.long_text} AS long_text
    FROM ${from})`;
}

/**
 * Removes the hidden tasks in `slice`, which must have no comments, time entries or files left. Only empties the cell's
 * newest task, and keeps tasks that have more events than a batch removes. `events` returns how many events this batch
 * removes, and `removed` returns the removed tasks.
 */
export function removeTasks(ws: number, slice: SQL, extraStatements: readonly Statement<void>[] = []) {
  const ids = sql`(SELECT s.id FROM ${slice} s)`;
  const history = sql`(
    SELECT ${e.ws}, ${e.seq} FROM ${slice} s CROSS JOIN ${e} ON ${e.ws} = ${ws} AND ${e.seq} = s.first_event
      AND ${e.entries} > 0
    UNION ALL SELECT * FROM (
      SELECT ${e.ws}, ${e.seq} FROM ${slice} s CROSS JOIN ${e} INDEXED BY events_by_task ON ${e.task} = s.id
        AND ${isAfterFirstEvent(e)}
      LIMIT ${EVENTS_PER_SLICE}))`;
  // The index needs integers, but D1 binds numbers as REAL.
  const workspace = sql`CAST(${ws} AS INTEGER)`;
  const newest = sql`(SELECT max(${tasks.id}) FROM ${tasks})`;
  const writes = [
    // Events that are still in the feed are kept until they expire, so that the feed has no gaps.
    write(sql`
      DELETE FROM ${events} WHERE (${events.ws}, ${events.seq}) IN ${history}
      AND ${events.seq} < (SELECT ${w.events_from} FROM ${w} WHERE ${w.no} = ${ws})`),
    write(
      sql`UPDATE ${events} SET ${events.entries} = 0, ${events.changes} = '{}' WHERE (${events.ws}, ${events.seq}) IN ${history}`,
    ),
    write(sql`
      DELETE FROM ${followers} WHERE (${followers.member}, ${followers.project}, ${followers.task}) IN (
        SELECT f.value, s.project, s.id FROM ${slice} s CROSS JOIN json_each(s.followers) f)`),
    write(sql`
      DELETE FROM ${taskSearch} WHERE rowid IN (
        SELECT ((${workspace} * 2) << 32) | s.id FROM ${slice} s)`),
    ...extraStatements,
    write(sql`DELETE FROM ${unindexedTasks} WHERE ${unindexedTasks.task} IN ${ids}`),
    write(sql`
      DELETE FROM ${detailSearch} WHERE rowid IN (
        SELECT ((${workspace} * 2) << 32) | s.id FROM ${slice} s)`),
    write(sql`DELETE FROM ${detailTexts} WHERE ${detailTexts.ws} = ${ws} AND ${detailTexts.task} IN ${ids}`),
    write(
      sql`DELETE FROM ${waitingDetails} WHERE ${waitingDetails.ws} = ${ws} AND ${waitingDetails.task} IN ${ids}`,
    ),
    write(sql`DELETE FROM ${checklists} WHERE ${checklists.ws} = ${ws} AND ${checklists.task} IN ${ids}`),
    write(sql`DELETE FROM ${reminders} WHERE ${reminders.ws} = ${ws} AND ${reminders.task} IN ${ids}`),
    write(sql`DELETE FROM ${recurrences} WHERE ${recurrences.ws} = ${ws} AND ${recurrences.task} IN ${ids}`),
    write(sql`
      DELETE FROM ${longTexts} WHERE ${longTexts.ws} = ${ws} AND ${longTexts.id} IN (SELECT s.long_text FROM ${slice} s)
        AND NOT EXISTS (SELECT 1 FROM ${u} INDEXED BY tasks_by_long_text
          WHERE ${u.long_text} = long_texts.id AND abs(${u.ws}) = ${ws} AND ${u.id} NOT IN ${ids})`),
    write(sql`
      UPDATE ${tasks} SET ${tasks.name} = '', ${tasks.name_key} = '', ${tasks.description} = NULL,
        ${tasks.description_key} = '', ${tasks.long_text} = NULL, ${tasks.tags} = '[]', ${tasks.label_keys} = '[]',
        ${tasks.field_values} = NULL, ${tasks.followers} = '[]'
      WHERE ${tasks.id} = ${newest} AND ${tasks.id} IN ${ids}`),
  ];
  return {
    events: readNumber(sql`SELECT count(*) AS n FROM ${history}`),
    writes,
    removed: readRows(sql`
      DELETE FROM ${tasks} WHERE ${tasks.id} IN ${ids} AND ${tasks.id} < ${newest} AND ${hasNoHistory(sql`tasks.id`)}
        RETURNING ${idColumn}`),
  };
}

function hasNoHistory(task: SQL): SQL {
  return sql`
    NOT EXISTS (SELECT 1 FROM ${e} INDEXED BY events_by_task WHERE ${e.task} = ${task} AND ${isAfterFirstEvent(e)})`;
}
