import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { assertUnchanged, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasLeftJoinedTable, aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { changeSetItems } from '../../schema/cell/change-sets.ts';
import { comments } from '../../schema/cell/comments.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { commentInsertTarget, hasRoomForComment } from '../../tasks/comments/comments.queries.ts';

const i = aliasTable(changeSetItems, 'i');
const n = aliasTable(comments, 'n');
const o = aliasLeftJoinedTable(comments, 'o');
const t = aliasTable(tasks, 't');

/**
 * Aborts the batch unless all comments are inserted. Must run after `setCreatedTasks`. A comment is never dated before
 * an older one, even if a clock is slow.
 */
export function insertStagedComments(
  caller: Caller,
  set: number,
  numbers: readonly number[],
  now: number,
): Statement<void>[] {
  const today = toWallClock(now, caller.timezone).date;
  return [
    write(sql`
      INSERT INTO ${commentInsertTarget}
      SELECT ${t.ws}, ${t.id}, ${caller.member}, ${t.project}, ${t.assignee}, ${t.archived},
        max(${today}, coalesce(l.day, '')), max(${now}, coalesce(l.created_at, 0)), ${i.text}, ${i.text_key},
        coalesce(${o.parent}, ${o.id})
      FROM json_each(${JSON.stringify(numbers)}) d
      CROSS JOIN ${i} ON ${i.set_id} = ${set} AND ${i.no} = d.value AND ${i.ws} = ${caller.workspace}
      CROSS JOIN ${t} NOT INDEXED ON ${t.id} = coalesce(${i.made}, ${i.task}) AND ${t.ws} = ${i.ws} AND ${hasRoomForComment}
      LEFT JOIN ${o} NOT INDEXED ON ${o.id} = ${i.changes} ->> 'reply_to' AND ${o.task} = ${t.id} AND ${o.ws} = ${t.ws}
      LEFT JOIN (
        SELECT ${n.day} AS day, ${n.created_at} AS created_at FROM ${n} INDEXED BY comments_by_day
        WHERE ${n.ws} = ${caller.workspace} ORDER BY ${n.day} DESC, ${n.id} DESC LIMIT 1) l ON true
      WHERE ${o.id} IS ${i.changes} ->> 'reply_to'
      ORDER BY d.key`),
    assertUnchanged(sql`changes() = ${numbers.length}`),
  ];
}

/** Must run after `setCreatedTasks`. */
export function insertStagedEntries(
  caller: Caller,
  set: number,
  numbers: readonly number[],
): Statement<void> {
  const columns = nameInsertColumns(timeEntries, 'ws', 'member', 'task', 'started_at', 'ended_at');
  return write(sql`
    INSERT INTO ${columns}
    SELECT ${i.ws}, ${caller.member}, coalesce(${i.made}, ${i.task}),
      ${i.changes} ->> 'started_at', ${i.changes} ->> 'ended_at'
    FROM json_each(${JSON.stringify(numbers)}) d
    CROSS JOIN ${i} ON ${i.set_id} = ${set} AND ${i.no} = d.value AND ${i.ws} = ${caller.workspace} ORDER BY d.key`);
}
