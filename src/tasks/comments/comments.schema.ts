import * as z from 'zod';
import { pageInput } from '../../kernel/lists/pagination.ts';
import { buildNameListSchema, integerId } from '../../kernel/operation/schema.ts';
import { commentReactions } from '../reactions/reactions.schema.ts';
import { COMMENT_CHARACTERS_MAX, comment } from '../summaries/summaries.schema.ts';

export const commentContent = z
  .string()
  .min(1)
  .max(COMMENT_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({
    description: 'Stored and returned verbatim.',
    example: 'The second draft is in the shared folder.',
  });

export const commentListInput = z.strictObject({
  id: integerId,
  ...pageInput,
  expand: buildNameListSchema(['reactions', 'thread'])
    .optional()
    .meta({ description: "`reactions` adds each comment's reactions. `thread` adds `parentId`." }),
});
export const listedComment = comment
  .extend({
    parentId: integerId.nullable().optional().meta({
      description:
        'Only with `expand=thread`. The id of the comment that this one replies to, which may have been deleted. Null if this comment is not a reply.',
    }),
    reactions: commentReactions.optional().meta({ description: 'Only with `expand=reactions`.' }),
  })
  .meta({ id: 'ListedComment' });

export const commentCreateInput = z.strictObject({
  id: integerId,
  content: commentContent,
  parentId: integerId.optional().meta({
    description:
      'The id of the comment to reply to, which must be on the same task. If that comment is a reply itself, the new comment joins its thread.',
  }),
});

const commentId = integerId.meta({ description: 'The id of a comment on the task.' });
export const commentKeyInput = z.strictObject({ id: integerId, commentId });
export const commentUpdateInput = z.strictObject({ id: integerId, commentId, content: commentContent });
