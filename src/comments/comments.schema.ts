import * as z from 'zod';
import { integerId, jsonBytesOf } from '../kernel/schema.ts';
import { COMMENT_CHARACTERS_MAX } from '../summaries/summaries.schema.ts';

/** As JSON: three bytes a character. Only a text full of control characters, six bytes each, takes more. */
const JSON_BYTES_MAX = 3 * COMMENT_CHARACTERS_MAX;

export const commentContent = z
  .string()
  .min(1)
  .max(COMMENT_CHARACTERS_MAX)
  .refine((text) => jsonBytesOf(text) <= JSON_BYTES_MAX, {
    message: `must take at most ${JSON_BYTES_MAX} bytes as JSON, where a control character takes six; leave some out`,
  })
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({
    description: 'Stored and returned verbatim.',
    example: 'The second draft is in the shared folder.',
  });

const commentId = integerId.meta({ description: 'A comment of the task.' });
export const commentKeyInput = z.strictObject({ id: integerId, commentId });
export const commentUpdateInput = z.strictObject({ id: integerId, commentId, content: commentContent });
