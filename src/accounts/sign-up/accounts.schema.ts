import * as z from 'zod';
import { examplePassword, examplePerson } from '../../kernel/operation/examples.ts';
import { buildAsciiTextSchema } from '../../kernel/operation/schema.ts';
import { emailText } from '../../tasks/summaries/summaries.schema.ts';

/** Doesn't check the address's format, so that a malformed address returns the same 401 as a wrong password. */
export const loginInput = z.strictObject({
  email: z.string().min(1).max(320).meta({ example: examplePerson.email }),
  password: z.string().min(1).max(1024).meta({ example: examplePassword }),
});

const EMAIL_CHARACTERS_MAX = 254;

export const emailAddress = z
  .string()
  .trim()
  .max(EMAIL_CHARACTERS_MAX)
  .pipe(z.email('must be an email address such as mira@example.com'));

export const passwordCharacters = { min: 10, max: 128 };
export const passwordHint = `${passwordCharacters.min} to ${passwordCharacters.max} characters.`;

export const newPassword = z
  .string()
  .min(passwordCharacters.min)
  .max(passwordCharacters.max)
  .meta({ description: passwordHint, example: 'correct horse battery' });

export const newPersonName = z
  .string()
  .min(1)
  .max(100)
  .refine(
    (name) => name.trim() !== '' && !/\p{Cc}/u.test(name),
    'must contain a visible character and no control characters',
  )
  .meta({ example: 'Mira Holt' });

export const registerInput = z.strictObject({
  email: emailAddress.meta({ example: 'mira@example.com' }),
  password: newPassword,
  name: newPersonName,
});

export const registerResult = z
  .object({
    success: z.boolean(),
    requiresVerification: z.boolean(),
    email: emailText,
    message: buildAsciiTextSchema(500),
  })
  .meta({
    id: 'RegisterResult',
    example: {
      success: true,
      requiresVerification: true,
      email: 'mira@example.com',
      message: 'Check your email and follow the link to verify your address, then sign in.',
    },
  });
