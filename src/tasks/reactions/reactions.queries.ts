import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, readRow, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { reactions } from '../../schema/cell/reactions.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { PEOPLE_LISTED_MAX, PEOPLE_PER_REACTION_MAX, type ReactionKey } from './reactions.schema.ts';

const c = aliasTable(comments, 'c');
const joinedComment = aliasLeftJoinedTable(comments, 'c');
const joinedReaction = aliasLeftJoinedTable(reactions, 'r');
const m = aliasTable(members, 'm');
const r = aliasTable(reactions, 'r');
const t = aliasTable(tasks, 't');

const ownPeople = sql`${reactions.people}`;

/** D1 binds numbers as REAL, but the lists contain integers. */
const toMemberNumber = ({ member }: Caller) => sql`CAST(${member} AS INTEGER)`;

/** Searches the text of the list, because `json_each` would read a row per person. */
const includesCaller = (caller: Caller, people: SQL) =>
  sql`instr(replace(replace(${people}, '[', ','), ']', ','), ',' || ${toMemberNumber(caller)} || ',') > 0`;

function selectReactions(caller: Caller, comment: SQL, peopleListed: number): SQL {
  const numbers = Array.from(
    { length: peopleListed },
    (_, index) => sql`${r.people} ->> ${sql.raw(String(index))}`,
  );
  const names = sql`(
    SELECT json_group_array(json_object('no', ${m.no}, 'id', ${m.user_id}, 'name', ${m.name}))
    FROM ${m} WHERE ${m.ws} = ${caller.workspace} AND ${m.no} IN (${sql.join(numbers, sql`, `)}))`;
  return sql`(
    SELECT json_group_array(json_object('reaction', ${r.reaction}, 'count', json_array_length(${r.people}),
      'isMine', ${includesCaller(caller, r.people)}, 'first', json_array(${sql.join(numbers, sql`, `)}),
      'people', json(${names})))
    FROM ${r} WHERE ${r.ws} = ${caller.workspace} AND ${r.comment} = ${comment})`;
}

/** @param comment the id of a comment in the caller's workspace. */
export function buildReactionsColumn(caller: Caller, comment: SQL, peopleListed = PEOPLE_LISTED_MAX) {
  return selectColumns({
    reactions: withType<string | null>(selectReactions(caller, comment, peopleListed)),
  });
}

const reactionStateColumns = selectColumns({
  archived: t.archived,
  comment: joinedComment.id,
  count: withType<number>(sql`coalesce(json_array_length(${joinedReaction.people}), 0)`),
});
type ReactionState = Row<typeof reactionStateColumns> & { is_mine: 0 | 1 };

export function findReactionState(
  caller: Caller,
  { id, commentId, reaction }: ReactionKey,
): Statement<ReactionState | null> {
  const isMine = withType<0 | 1>(includesCaller(caller, sql`coalesce(${joinedReaction.people}, '[]')`));
  return readFirstRow(sql`
    SELECT ${reactionStateColumns}, ${selectColumns({ is_mine: isMine })}
    FROM ${t} LEFT JOIN ${c} ON ${c.id} = ${commentId} AND ${c.task} = ${t.id} AND ${c.ws} = ${t.ws}
    LEFT JOIN ${r} ON ${r.comment} = ${c.id} AND ${r.reaction} = ${reaction} AND ${r.ws} = ${c.ws}
    WHERE ${t.id} = ${id} AND ${isTaskVisible(t, caller)}`);
}

export function listReactions(caller: Caller, comment: number): Statement<{ reactions: string | null }> {
  return readRow(sql`SELECT ${buildReactionsColumn(caller, sql`${comment}`)}`);
}

/**
 * Aborts the batch if the comment is gone, if the caller has already added this reaction, or if too many people have.
 */
export function insertReaction(caller: Caller, { id, commentId, reaction }: ReactionKey): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(reactions, 'comment', 'reaction', 'ws', 'people')}
      SELECT ${c.id}, ${reaction}, ${c.ws}, json_array(${toMemberNumber(caller)}) FROM ${c}
      WHERE ${c.ws} = ${caller.workspace} AND ${c.id} = ${commentId} AND ${c.task} = ${id}
      ON CONFLICT DO UPDATE SET ${reactions.people} = json_insert(${reactions.people}, '$[#]', ${toMemberNumber(caller)})
      WHERE json_array_length(${reactions.people}) < ${PEOPLE_PER_REACTION_MAX}
        AND NOT ${includesCaller(caller, ownPeople)}`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

/** Aborts the batch if the caller hasn't added this reaction. */
export function deleteReaction(caller: Caller, { commentId, reaction }: ReactionKey): Statement<void>[] {
  const isReaction = sql`${reactions.ws} = ${caller.workspace} AND ${reactions.comment} = ${commentId}
    AND ${reactions.reaction} = ${reaction}`;
  return [
    write(sql`
      UPDATE ${reactions} SET ${reactions.people} = (
        SELECT json_group_array(j.value ORDER BY j.key) FROM json_each(${reactions.people}) j
        WHERE j.value <> ${toMemberNumber(caller)})
      WHERE ${isReaction} AND ${includesCaller(caller, ownPeople)}`),
    assertUnchanged(sql`changes() = 1`),
    write(sql`DELETE FROM ${reactions} WHERE ${isReaction} AND ${reactions.people} = '[]'`),
  ];
}

export function selectTaskProject(id: number): SQL {
  return sql`(SELECT ${t.project} FROM ${t} WHERE ${t.id} = ${id})`;
}
