import * as z from 'zod';
import { integerId, timestamp } from '../../kernel/operation/schema.ts';
import { NAME_CHARACTERS_MAX, tagName } from '../../tasks/fields.ts';

/** Limits what strangers can add to a project, whatever their IP addresses. */
export const SUBMISSIONS_PER_DAY_MAX = 200;
const GREETING_CHARACTERS_MAX = 2_000;
const DESCRIPTION_CHARACTERS_MAX = 5_000;
const SENDER_NAME_CHARACTERS_MAX = 100;
const SENDER_EMAIL_CHARACTERS_MAX = 200;

const settings = {
  greeting: z.string().max(GREETING_CHARACTERS_MAX).nullable().meta({
    description: 'A text above the form.',
  }),
  tag: tagName.nullable().meta({ description: 'The tag of the tasks that the form creates.' }),
  assigneeId: z.string().min(1).max(100).nullable().meta({
    description: 'The member of the project who is assigned the tasks that the form creates.',
  }),
};

export const intakeProjectInput = z.strictObject({ projectId: integerId });
export const intakeFormInput = intakeProjectInput.extend({
  greeting: settings.greeting.optional(),
  tag: settings.tag.optional(),
  assigneeId: settings.assigneeId.optional(),
});

export const intakeFormSettings = z.object({
  form: z
    .object({
      /** Null if the address can't be displayed again. The form still works. */
      address: z.string().nullable(),
      ...settings,
      createdBy: z.object({ name: z.string() }),
      createdAt: timestamp,
      lastUsedAt: timestamp.nullable(),
    })
    .nullable(),
});

const secret = z.string().max(100);
/** A single line, because it becomes part of a sentence in the task's history. */
const senderText = (charactersMax: number) =>
  z
    .string()
    .trim()
    .max(charactersMax)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

export const intakeSecretInput = z.strictObject({ secret });
export const intakeSubmissionInput = z.strictObject({
  secret,
  /** Identifies the submission, so that sending the form again doesn't create another task. */
  key: z.string().min(1).max(100),
  name: z
    .string()
    .trim()
    .min(1)
    .max(NAME_CHARACTERS_MAX)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters'),
  description: z.string().trim().max(DESCRIPTION_CHARACTERS_MAX).default(''),
  senderName: senderText(SENDER_NAME_CHARACTERS_MAX).default(''),
  senderEmail: senderText(SENDER_EMAIL_CHARACTERS_MAX)
    .refine(
      (text) => text === '' || z.regexes.email.test(text),
      'must be an email address such as ada@example.com',
    )
    .default(''),
});

export const openIntakeForm = z.object({
  projectName: z.string(),
  workspaceName: z.string(),
  greeting: z.string().nullable(),
});
