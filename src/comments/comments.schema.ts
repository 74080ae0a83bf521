import * as z from 'zod';
import { integerId, timestamp } from '../kernel/schema.ts';
import { personSummary } from '../workspaces/people.schema.ts';

export const commentContent = z
  .string()
  .min(1)
  .max(20_000)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({
    description: 'Stored and returned verbatim.',
    example: 'The second draft is in the shared folder.',
  });

/** Spec 2.4. */
export const comment = z
  .object({ id: integerId, content: z.string(), author: personSummary, createdAt: timestamp })
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
