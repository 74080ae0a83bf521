import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { COMMENT_CHARACTERS_MAX } from '../summaries/summaries.schema.ts';

export const commentContent = z
  .string()
  .min(1)
  .max(COMMENT_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({
    description: 'Stored and returned verbatim.',
    example: 'The second draft is in the shared folder.',
  });

const commentId = integerId.meta({ description: "One of the task's comments." });
export const commentKeyInput = z.strictObject({ id: integerId, commentId });
export const commentUpdateInput = z.strictObject({ id: integerId, commentId, content: commentContent });
