import type { Caller } from '../../kernel/access/access.ts';
import { imageTypes } from '../../kernel/rich-text/attachment-images.ts';
import { readFirstRow, readRows, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { attachments } from '../../schema/cell/attachments.ts';
import { comments } from '../../schema/cell/comments.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectMentionedPeople } from '../mentions/mentioned-people.queries.ts';
import { selectDescription } from '../texts/task-texts.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

/** Further links and images in the same text aren't looked up. */
const REFERENCES_PER_TEXT_MAX = sql.raw('20');
/** How many digits of an id are read. A longer number isn't an id. */
const ID_DIGITS_MAX = sql.raw('15');
/** In a JSON string. No separator starts with a character that can be part of an escape sequence. */
const taskLinkSeparators = ['/tasks/', '?task=', '&task=', ';task='];
const imageSeparators = ['](attachment:', '=\\"attachment:'];
const imageTypeList = sql.raw(imageTypes.map((type) => `'${type}'`).join(', '));

const a = aliasTable(attachments, 'a');
const c = aliasTable(comments, 'c');
const linked = aliasTable(tasks, 'linked');
const t = aliasTable(tasks, 't');

/** Splits the text before each number that may be an id. In the JSON list, every string except the first starts with one. */
function selectIds(text: SQL, separators: readonly string[]): SQL {
  const pieces = separators.reduce(
    (split, separator) => sql`replace(${split}, ${separator}, '","')`,
    sql`json_quote(${text})`,
  );
  return sql`SELECT DISTINCT CAST(substr(j.value, 1, ${ID_DIGITS_MAX}) AS INTEGER) AS id
    FROM json_each('[' || ${pieces} || ']') j WHERE j.key BETWEEN 1 AND ${REFERENCES_PER_TEXT_MAX}`;
}

/** Lists the tasks that the text links to, if the caller can see them. */
function selectLinkedTasks(caller: Caller, text: SQL): SQL {
  return sql`iif(instr(${text}, ${`/app/${caller.workspaceId}/`}) = 0, '[]', (
    SELECT json_group_array(json_object('id', ${linked.id}, 'name', ${linked.name}))
    FROM (${selectIds(text, taskLinkSeparators)}) named
    CROSS JOIN ${linked} ON ${linked.id} = named.id AND ${isTaskVisible(linked, caller)}))`;
}

/** Lists the images in the text that are attachments of its task. */
function selectImages(caller: Caller, task: SQL, text: SQL): SQL {
  return sql`iif(instr(${text}, 'attachment:') = 0, '[]', (
    SELECT json_group_array(${a.id}) FROM (${selectIds(text, imageSeparators)}) named
    CROSS JOIN ${a} ON ${a.id} = named.id AND ${a.ws} = ${caller.workspace} AND ${a.task} = ${task}
      AND lower(${a.file_type}) IN (${imageTypeList})))`;
}

function selectReferences(caller: Caller, task: SQL, text: SQL): SQL {
  return sql`json_object('people', json(${selectMentionedPeople(sql`${caller.workspace}`, text)}),
    'tasks', json(${selectLinkedTasks(caller, text)}), 'images', json(${selectImages(caller, task, text)}))`;
}

/** The column is null for a long comment, which `listCommentReferences` reads later. */
export function buildReferencesColumn(caller: Caller, isShort: SQL) {
  return selectColumns({
    refs: withType<string | null>(
      sql`CASE WHEN ${isShort} THEN ${selectReferences(caller, c.task, c.content)} END`,
    ),
  });
}

const commentColumns = selectColumns({ id: c.id, bytes: withType<number>(c.bytes) });
export type RowWithReferences = Row<typeof commentColumns> & { refs: string | null };

/** Doesn't check access. Use it only for comments that the caller has just read. */
export function listCommentReferences(caller: Caller, ids: readonly number[]) {
  const columns = selectColumns({ refs: withType<string>(selectReferences(caller, c.task, c.content)) });
  return readRows(sql`
    SELECT ${columns} FROM (${selectIdsInOrder(ids)}) page
    CROSS JOIN ${c} ON ${c.id} = page.id AND ${c.ws} = ${caller.workspace}`);
}

/** Reads a long description only once, although several functions search it. */
export function findDescriptionReferences(caller: Caller, task: number) {
  const text = sql.raw('described.text');
  const columns = selectColumns({
    refs: withType<string>(sql`json_object('people', json('[]'), 'tasks', json(${selectLinkedTasks(caller, text)}),
      'images', json(${selectImages(caller, sql`${task}`, text)}))`),
  });
  return readFirstRow(sql`
    WITH described AS MATERIALIZED (SELECT coalesce(${selectDescription(t)}, '') AS text FROM ${t}
      WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)})
    SELECT ${columns} FROM described`);
}
