import * as z from 'zod';
import { integerId, jsonBytesOf, plainText, timestamp } from '../kernel/schema.ts';
import { personSummary } from '../summaries/summaries.schema.ts';

const CHARACTERS_MAX = 20_000;
/** As JSON: three bytes a character, so that only a text full of control characters, six bytes each, takes more. */
const JSON_BYTES_MAX = 3 * CHARACTERS_MAX;

/** A comment in an answer. */
export const commentText = plainText(CHARACTERS_MAX);

export const commentContent = z
  .string()
  .min(1)
  .max(CHARACTERS_MAX)
  .refine((text) => jsonBytesOf(text) <= JSON_BYTES_MAX, {
    message: `must take at most ${JSON_BYTES_MAX} bytes as JSON, where a control character takes six; leave some out`,
  })
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({
    description: 'Stored and returned verbatim.',
    example: 'The second draft is in the shared folder.',
  });

/** Spec 2.4. */
export const comment = z
  .object({ id: integerId, content: commentText, author: personSummary, createdAt: timestamp })
  .meta({
    id: 'Comment',
    example: {
      id: 311,
      content: 'The second draft is in the shared folder.',
      author: { id: 'usr_5TbQm', name: 'Mira Holt', email: 'mira@example.com' },
      createdAt: '2026-03-02T09:30:00.000Z',
    },
  });
export type Comment = z.infer<typeof comment>;

const commentId = integerId.meta({ description: 'A comment of the task.' });
export const commentKeyInput = z.strictObject({ id: integerId, commentId });
export const commentUpdateInput = z.strictObject({ id: integerId, commentId, content: commentContent });
