import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { type ActivityRow, selectActivities } from '../activities/activities.queries.ts';
import { buildContentColumns } from '../comment-contents/long-contents.queries.ts';
import { getInlineBytesMax } from '../comment-contents/long-contents.ts';
import { buildReactionsColumn } from '../reactions/reactions.queries.ts';
import { PEOPLE_LISTED_MAX } from '../reactions/reactions.schema.ts';
import { buildReferencesColumn } from '../references/references.queries.ts';

const c = aliasTable(comments, 'c');
const addedComment = aliasLeftJoinedTable(comments, 'c');
const m = aliasTable(members, 'm');
const author = aliasLeftJoinedTable(members, 'm');
const p = aliasTable(members, 'p');
const parent = aliasLeftJoinedTable(comments, 'pc');
const parentAuthor = aliasLeftJoinedTable(members, 'pm');

/** Feed pages with at least this many items name only one person per reaction, to limit the number of rows read. */
const LONG_FEED_ITEMS_MIN = 21;

/** How much of a comment is quoted above its replies if the comment is on another page. */
const PARENT_CHARACTERS_SHOWN = 80;

const addedCommentColumns = selectColumns({
  added_id: addedComment.id,
  added_at: addedComment.created_at,
  parent_id: addedComment.parent,
  parent_author: parentAuthor.name,
  parent_text: withType<string | null>(
    sql`substr(${parent.content}, 1, ${sql.raw(String(PARENT_CHARACTERS_SHOWN))})`,
  ),
  author_id: author.user_id,
  author_name: author.name,
  author_email: author.email,
});

function buildCommentTextColumns(caller: Caller, { limit }: PageRange) {
  const isShort = sql`${c.bytes} <= ${getInlineBytesMax(limit + 1)}`;
  const reactions = buildReactionsColumn(caller, c.id, limit < LONG_FEED_ITEMS_MIN ? PEOPLE_LISTED_MAX : 1);
  return sql`${buildContentColumns(isShort)}, ${buildReferencesColumn(caller, isShort)}, ${reactions}`;
}

/** Selects a JSON list of the assignees before and after the change, including former members. */
function selectChangedAssignees(caller: Caller) {
  const ids = sql`'["' || replace(coalesce(entry.from_value || ', ', '') || coalesce(entry.to_value, ''), ', ', '","') || '"]'`;
  return sql`iif(entry.type IN ('assignee_changed', 'assignees_changed'), (
    SELECT json_group_array(json_object('id', ${p.user_id}, 'name', ${p.name}))
    FROM json_each(${ids}) n CROSS JOIN ${p} ON ${p.ws} = ${caller.workspace} AND ${p.user_id} = n.value), NULL)`;
}

function joinParent(caller: Caller) {
  return sql`LEFT JOIN ${parent} ON ${parent.id} = ${c.parent} AND ${parent.task} = ${c.task}
      AND ${parent.ws} = ${caller.workspace}
    LEFT JOIN ${parentAuthor} ON ${parentAuthor.no} = ${parent.author}`;
}

interface CommentColumns extends Row<typeof addedCommentColumns> {
  bytes: number | null;
  content: string | null;
  refs: string | null;
  reactions: string | null;
}
interface EntryColumns extends ActivityRow {
  assignees: string | null;
}
export type FeedRow = (EntryColumns | { [K in keyof EntryColumns]?: undefined }) & CommentColumns;

/** Lists the newest history entries first. An entry about a new comment includes the comment, unless it was deleted. */
export function listEntriesWithComments(
  caller: Caller,
  task: number,
  range: PageRange,
): Statement<FeedRow[]> {
  return readRows(
    withType<FeedRow>(sql`
    SELECT entry.*, ${selectChangedAssignees(caller)} AS assignees, ${addedCommentColumns}, ${buildCommentTextColumns(caller, range)}
    FROM (${selectActivities(caller, task, range)}) entry
    LEFT JOIN ${c} ON entry.type = 'comment_added' AND ${c.id} = entry.comment_id AND ${c.ws} = ${caller.workspace}
      AND ${c.task} = ${task}
    LEFT JOIN ${m} ON ${m.no} = ${c.author}
    ${joinParent(caller)}
    ORDER BY entry.id DESC`),
  );
}

export function listNewestComments(caller: Caller, task: number, range: PageRange): Statement<FeedRow[]> {
  return readRows(
    withType<FeedRow>(sql`
    SELECT ${addedCommentColumns}, ${buildCommentTextColumns(caller, range)}
    FROM ${c} INDEXED BY comments_by_task CROSS JOIN ${m} ON ${m.no} = ${c.author}
    ${joinParent(caller)}
    WHERE ${c.ws} = ${caller.workspace} AND ${c.task} = ${task}
      AND ${isAfter(range, [{ column: c.id, isDescending: true }])}
    ORDER BY ${c.id} DESC ${buildLimit(range)}`),
  );
}
