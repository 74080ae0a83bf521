import type { Caller } from '../../kernel/access/access.ts';
import { readRows, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { members } from '../../schema/cell/workspaces.ts';

const NAMES_PER_TEXT_MAX = sql.raw('1000');

const c = aliasTable(comments, 'c');
const m = aliasTable(members, 'm');

/** Selects a JSON list of the people whom the text mentions, with their current names. Includes former members. */
export function selectMentionedPeople(ws: SQL, text: SQL): SQL {
  // Splits the text before each mention. In the resulting JSON list, every string except the first starts with an id.
  const pieces = sql`'[' || replace(json_quote(${text}), '@[usr_', '","usr_') || ']'`;
  return sql`iif(instr(${text}, '@[usr_') = 0, '[]', (
    SELECT json_group_array(json_object('id', ${m.user_id}, 'name', ${m.name}))
    FROM (SELECT DISTINCT substr(j.value, 1, instr(j.value, ']') - 1) AS id
      FROM json_each(${pieces}) j WHERE j.key BETWEEN 1 AND ${NAMES_PER_TEXT_MAX}) named
    CROSS JOIN ${m} ON ${m.ws} = ${ws} AND ${m.user_id} = named.id))`;
}

export function buildMentionedPeopleColumn(ws: SQL, content: SQL, isShort: SQL) {
  return selectColumns({
    mentioned: withType<string | null>(
      sql`CASE WHEN ${isShort} THEN ${selectMentionedPeople(ws, content)} END`,
    ),
  });
}

const commentColumns = selectColumns({ id: c.id, bytes: withType<number>(c.bytes) });
export type RowWithMentions = Row<typeof commentColumns> & { mentioned: string | null };

const mentionedColumns = selectColumns({
  mentioned: withType<string>(selectMentionedPeople(c.ws, c.content)),
});

/** Doesn't check access. Use it only for comments that the caller has just read. */
export function listPeopleMentionedInComments(caller: Caller, ids: readonly number[]) {
  return readRows(sql`
    SELECT ${mentionedColumns} FROM (${selectIdsInOrder(ids)}) page
    CROSS JOIN ${c} ON ${c.id} = page.id AND ${c.ws} = ${caller.workspace}`);
}
