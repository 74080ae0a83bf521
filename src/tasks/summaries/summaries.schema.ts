import * as z from 'zod';
import { examplePerson } from '../../kernel/operation/examples.ts';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  integerId,
  timestamp,
} from '../../kernel/operation/schema.ts';

/** These limits are at least as high as the limits for input, so that responses can contain every stored value. */
export const personId = buildAsciiTextSchema(64);
export const personName = buildPlainTextSchema(100);
export const emailText = buildAsciiTextSchema(254);
export const imageUrl = buildAsciiTextSchema(500);
export const initialsText = buildPlainTextSchema(300);
export const workspaceId = buildAsciiTextSchema(64);
export const workspaceName = buildPlainTextSchema(200);
export const projectName = z.string().max(200);
export const TASK_NAME_CHARACTERS_MAX = 600;
/** This limit is higher than the limit for input, because a copy adds a suffix to the name. */
export const taskName = z.string().max(TASK_NAME_CHARACTERS_MAX);
export const COMMENT_CHARACTERS_MAX = 20_000;
export const commentText = buildPlainTextSchema(COMMENT_CHARACTERS_MAX);
export const referenceText = z.string().max(100);
export const colorText = buildAsciiTextSchema(20);

export const personSummary = z
  .object({
    id: personId,
    name: personName,
    email: emailText,
  })
  .meta({ id: 'PersonSummary', example: examplePerson });

export const personAvatar = z.object({
  id: personId,
  name: personName,
  image: imageUrl.nullable(),
  initials: initialsText,
});

export const personAvatarWithEmail = personAvatar.extend({ email: emailText });

export const comment = z
  .object({ id: integerId, content: commentText, author: personSummary, createdAt: timestamp })
  .meta({
    id: 'Comment',
    example: {
      id: 311,
      content: 'The second draft is in the shared folder.',
      author: examplePerson,
      createdAt: '2026-03-02T09:30:00.000Z',
    },
  });
export type Comment = z.infer<typeof comment>;
