import type { Caller } from '../../kernel/access/access.ts';
import type { Range } from '../../kernel/lists/pagination.ts';
import { readRows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { selectActivities } from '../activities/activities.queries.ts';
import { getInlineBytesMax } from '../comment-contents/long-contents.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const NAMES_PER_TEXT_MAX = sql.raw('1000');

const c = aliasTable(comments, 'c');
const mp = aliasTable(members, 'mp');
const t = aliasTable(tasks, 't');

/** Selects a JSON list of the people that the text mentions, with their current names. Includes former members. */
function selectMentioned(ws: SQL, text: SQL): SQL {
  // Splits the text before each mention. In the resulting JSON list, every string except the first starts with an id.
  const pieces = sql`'[' || replace(json_quote(${text}), '@[usr_', '","usr_') || ']'`;
  return sql`iif(instr(${text}, '@[usr_') = 0, '[]', (
    SELECT json_group_array(json_object('id', ${mp.user_id}, 'name', ${mp.name}))
    FROM (SELECT DISTINCT substr(j.value, 1, instr(j.value, ']') - 1) AS id
      FROM json_each(${pieces}) j WHERE j.key BETWEEN 1 AND ${NAMES_PER_TEXT_MAX}) named
    CROSS JOIN ${mp} ON ${mp.ws} = ${ws} AND ${mp.user_id} = named.id))`;
}

/** The column is null for a long comment. `listMentionedInComments` then reads it. */
export function buildMentionedColumn(ws: SQL, content: SQL, isShort: SQL) {
  return selectColumns({
    mentioned: withType<string | null>(sql`CASE WHEN ${isShort} THEN ${selectMentioned(ws, content)} END`),
  });
}

const commentColumns = selectColumns({ id: c.id, bytes: withType<number>(c.bytes) });
export type MentioningRow = Row<typeof commentColumns> & { mentioned: string | null };

/** Returns no rows if the caller can't see the task. */
export function listMentionedOnTask(
  caller: Caller,
  task: number,
  { limit, offset, isNewestFirst }: { limit: number; offset: number; isNewestFirst: boolean },
): Statement<MentioningRow[]> {
  const isShort = sql`${c.bytes} <= ${getInlineBytesMax(limit)}`;
  return readRows(sql`
    SELECT ${commentColumns}, ${buildMentionedColumn(c.ws, c.content, isShort)}
    FROM ${t} CROSS JOIN ${c} INDEXED BY comments_by_task ON ${c.task} = ${t.id}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}
    ORDER BY ${c.id} ${sql.raw(isNewestFirst ? 'DESC' : 'ASC')} LIMIT ${limit} OFFSET ${offset}`);
}

const nameColumns = selectColumns({ id: mp.user_id, name: mp.name });

/** Returns the people that the task was assigned to or taken from, according to the history entries in the range. */
export function listAssigneesInHistory(caller: Caller, task: number, range: Range) {
  const ids = sql`iif(entry.type IN ('assignee_changed', 'assignees_changed'), '["' || replace(
    coalesce(entry.from_value || ', ', '') || coalesce(entry.to_value, ''), ', ', '","') || '"]', '[]')`;
  return readRows(sql`
    SELECT DISTINCT ${nameColumns} FROM ${t}
    CROSS JOIN (${selectActivities(caller, task, range)}) entry CROSS JOIN json_each(${ids}) n
    CROSS JOIN ${mp} ON ${mp.ws} = ${caller.workspace} AND ${mp.user_id} = n.value
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`);
}

const mentionedColumns = selectColumns({ mentioned: withType<string>(selectMentioned(c.ws, c.content)) });

/** Doesn't check access. Use it only for comments that the caller has just read. */
export function listMentionedInComments(caller: Caller, ids: readonly number[]) {
  return readRows(sql`
    SELECT ${mentionedColumns} FROM (${selectIdsInOrder(ids)}) page
    CROSS JOIN ${c} ON ${c.id} = page.id AND ${c.ws} = ${caller.workspace}`);
}
