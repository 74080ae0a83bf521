import * as z from 'zod';
import type { PageRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, toTimestamp } from '../../kernel/operation/schema.ts';
import { countActivities } from '../activities/activities.queries.ts';
import { activity } from '../activities/activities.schema.ts';
import { toActivity } from '../activities/activities.ts';
import { readLongContents } from '../comment-contents/long-contents.ts';
import { countComments } from '../comments/comments.queries.ts';
import { parseMentionedPeople } from '../mentions/mentioned-people.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { toReactions } from '../reactions/reactions.present.ts';
import { commentReactions } from '../reactions/reactions.schema.ts';
import { readCommentReferences, textReferences } from '../references/references.ts';
import { comment } from '../summaries/summaries.schema.ts';
import { type FeedRow, listEntriesWithComments, listNewestComments } from './feed.queries.ts';

export const FEED_ITEMS_MAX = 100;

export const feedInput = z.strictObject({
  id: integerId,
  show: z.enum(['all', 'comments']).default('all'),
  limit: z.int().min(1).max(FEED_ITEMS_MAX),
  before: integerId.optional(),
});

/** The comment that a reply belongs to. `author` and `text` are null if it was deleted. */
const feedParent = z.object({ id: integerId, author: z.string().nullable(), text: z.string().nullable() });
const feedComment = comment.extend({ parent: feedParent.nullable(), reactions: commentReactions });

/** `entry` is null in a list of comments. `comment` is null unless the item is a comment that still exists. */
const feedItem = z.object({ key: z.int(), entry: activity.nullable(), comment: feedComment.nullable() });
export type FeedItem = z.output<typeof feedItem>;

export const listTaskFeed = defineOperation(
  {
    name: 'listTaskFeed',
    summary: "List a task's comments and history entries together, oldest first",
    description: 'Returns the newest items or, with `before`, the items before that item.',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: feedInput,
    output: z.object({
      items: z.array(feedItem),
      total: z.int(),
      hasMore: z.boolean(),
      references: textReferences,
    }),
  },
  async ({ db, caller }, { id, show, limit, before }) => {
    const range: PageRange = { limit, offset: 0, after: before === undefined ? null : [before], skipped: 0 };
    const [total, found] = await db.batch(
      show === 'all'
        ? [countActivities(caller, id), listEntriesWithComments(caller, id, range)]
        : [countComments(caller, id), listNewestComments(caller, id, range)],
    );
    if (total < 0) throw taskNotFoundError(id);
    const rows = found.slice(0, limit).reverse();
    const commentRows = rows.flatMap(toCommentRow);
    const contents = new Map(
      (await readLongContents(db, caller, commentRows)).map((row) => [row.id, row.content]),
    );
    const references = await readCommentReferences(db, caller, commentRows);
    return {
      items: rows.map((row) => toFeedItem(row, contents)),
      total,
      hasMore: found.length > limit,
      references: {
        ...references,
        people: [
          ...rows.flatMap(({ assignees = null }) => parseMentionedPeople(assignees)),
          ...references.people,
        ],
      },
    };
  },
);

function toCommentRow({ added_id: id, bytes, content, refs }: FeedRow) {
  return id === null || bytes === null ? [] : [{ id, bytes, content, refs }];
}

function toFeedItem(row: FeedRow, contents: ReadonlyMap<number, string>): FeedItem {
  const { added_id: id, added_at: at, author_id, author_name, author_email, parent_id } = row;
  const content = contents.get(id ?? 0);
  return {
    key: row.id ?? id ?? 0,
    entry: row.id === undefined ? null : toActivity(row),
    comment:
      id === null || at === null || author_id === null || content === undefined
        ? null
        : {
            id,
            content,
            author: { id: author_id, name: author_name ?? '', email: author_email ?? '' },
            createdAt: toTimestamp(at),
            parent:
              parent_id === null ? null : { id: parent_id, author: row.parent_author, text: row.parent_text },
            reactions: toReactions(row.reactions),
          },
  };
}
