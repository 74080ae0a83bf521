import * as z from 'zod';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { personId, personName } from '../summaries/summaries.schema.ts';

export const reactionNames = ['thumbs_up', 'thumbs_down', 'heart', 'laugh', 'celebrate', 'eyes'] as const;
export type ReactionName = (typeof reactionNames)[number];

/** The limit exists because adding a reaction rewrites the whole list of people. */
export const PEOPLE_PER_REACTION_MAX = 500;
export const PEOPLE_LISTED_MAX = 5;

const reaction = z.enum(reactionNames).meta({ example: 'thumbs_up' });

export const commentReaction = z
  .object({
    reaction,
    count: z.int().min(1),
    isMine: z.boolean().meta({ description: 'Whether you added this reaction.' }),
    people: z
      .array(z.object({ id: personId, name: personName }))
      .max(PEOPLE_LISTED_MAX)
      .meta({ description: `The first ${PEOPLE_LISTED_MAX} people who added this reaction.` }),
  })
  .meta({
    id: 'Reaction',
    example: {
      reaction: 'thumbs_up',
      count: 1,
      isMine: false,
      people: [{ id: examplePerson.id, name: examplePerson.name }],
    },
  });
export type CommentReaction = z.infer<typeof commentReaction>;

export const commentReactions = z.array(commentReaction).max(reactionNames.length);
export const reactionList = z.object({ data: commentReactions }).meta({ id: 'Reactions' });

export const reactionKeyInput = z.strictObject({
  id: integerId,
  commentId: integerId.meta({ description: 'The id of a comment on the task.' }),
  reaction,
});
export type ReactionKey = z.output<typeof reactionKeyInput>;
