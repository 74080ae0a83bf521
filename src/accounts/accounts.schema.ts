import * as z from 'zod';
import { roles } from '../kernel/access.ts';
import { asciiText, timestamp } from '../kernel/schema.ts';
import {
  emailText,
  imageUrl,
  personId,
  personName,
  workspaceId,
  workspaceName,
} from '../summaries/summaries.schema.ts';

const accountExample = {
  id: 'usr_5TbQm',
  email: 'mira@example.com',
  name: 'Mira Holt',
  image: null,
  role: 'owner' as const,
  workspace: { id: 'ws_8Qm2vK', name: 'Northwind Studio', plan: 'pro' as const },
};

/** The person behind a credential, in its workspace. */
export const me = z
  .object({
    id: personId,
    email: emailText,
    name: personName,
    image: imageUrl.nullable(),
    role: z.enum(roles).meta({ description: 'The role in the workspace of the credential.' }),
    workspace: z.object({ id: workspaceId, name: workspaceName, plan: z.enum(['free', 'medium', 'pro']) }),
  })
  .meta({ id: 'Me', example: accountExample });

export const loginResult = z
  .object({
    token: asciiText(4_000).meta({ description: 'Session token; send it as Authorization: Bearer.' }),
    expiresAt: timestamp,
    user: me,
  })
  .meta({
    id: 'LoginResult',
    example: { token: 'eyJhbGciOi…', expiresAt: '2026-03-09T09:30:00.000Z', user: accountExample },
  });

/** Any text is taken: what is not an account gets the same 401 as a wrong password. */
export const loginInput = z.strictObject({
  email: z.string().min(1).max(320).meta({ example: 'mira@example.com' }),
  password: z.string().min(1).max(1024).meta({ example: 'correct horse battery' }),
});

const EMAIL_CHARACTERS_MAX = 254;

export const emailAddress = z
  .string()
  .trim()
  .max(EMAIL_CHARACTERS_MAX)
  .pipe(z.email('must be an email address such as mira@example.com'));

export const registerInput = z.strictObject({
  email: emailAddress.meta({ example: 'mira@example.com' }),
  password: z
    .string()
    .min(10)
    .max(128)
    .meta({ description: '10 to 128 characters.', example: 'correct horse battery' }),
  name: z
    .string()
    .min(1)
    .max(100)
    .refine(
      (name) => name.trim() !== '' && !/\p{Cc}/u.test(name),
      'must not be blank or hold control characters',
    )
    .meta({ example: 'Mira Holt' }),
});

export const registerResult = z
  .object({
    success: z.boolean(),
    requiresVerification: z.boolean(),
    email: emailText,
    message: asciiText(500),
  })
  .meta({
    id: 'RegisterResult',
    example: {
      success: true,
      requiresVerification: true,
      email: 'mira@example.com',
      message: 'Check your mail and follow the link to verify your address; then sign in.',
    },
  });

export const noInput = z.strictObject({});
