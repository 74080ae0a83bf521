import * as z from 'zod';
import { toEmailKey } from '../../accounts/sign-up/accounts.queries.ts';
import { emailAddress } from '../../accounts/sign-up/accounts.schema.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { integerId, timestamp } from '../../kernel/operation/schema.ts';
import { emailText, personName, projectName, workspaceName } from '../../tasks/summaries/summaries.schema.ts';

/** Excludes `owner`, because ownership can only be transferred. */
const invitableRoles = ['admin', 'lead', 'member', 'client'] as const;
export type InvitedRole = (typeof invitableRoles)[number];

const PROJECTS_MAX = 50;

const EMAILS_PER_REQUEST_MAX = 10;

/** People paste lists of addresses from elsewhere, so all addresses arrive in one string. */
const emailAddresses = z
  .string()
  .max(5_000)
  .transform((text) => {
    const emails = text.split(/[\s,;]+/).filter((part) => part !== '');
    const keys = emails.map(toEmailKey);
    return emails.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
  })
  .superRefine((emails, context) => {
    const addProblem = (message: string) => context.addIssue({ code: 'custom', message, input: emails });
    const wrong = emails.find((email) => !emailAddress.safeParse(email).success);
    if (emails.length === 0) addProblem('must be an email address such as mira@example.com');
    else if (emails.length > EMAILS_PER_REQUEST_MAX)
      addProblem(`must contain at most ${EMAILS_PER_REQUEST_MAX} email addresses`);
    else if (wrong !== undefined)
      addProblem(`must contain only email addresses; ${quoteValue(wrong)} isn't one`);
  });

export const invitePeopleInput = z.strictObject({
  email: emailAddresses,
  role: z.enum(invitableRoles),
  projectIds: z.array(integerId).max(PROJECTS_MAX).default([]),
});

export const invitationIdInput = z.strictObject({ id: integerId });

const invitation = z.object({
  id: integerId,
  email: emailText,
  role: z.enum(invitableRoles),
  projects: z.array(z.object({ id: integerId, name: projectName })),
  invitedBy: personName,
  createdAt: timestamp,
  expiresAt: timestamp,
  isExpired: z.boolean(),
});

export const invitationList = z.object({ invitations: z.array(invitation) });

export const invitationTokenInput = z.strictObject({ token: z.string().max(200) });

export const invitationPreview = z.object({
  workspaceName,
  role: z.enum(invitableRoles),
  email: emailText,
  invitedBy: personName,
  hasAccount: z.boolean().meta({ description: 'Whether the invited person already has an account.' }),
});

export const acceptedInvitation = z.object({ workspaceId: z.string().max(64), userId: z.string().max(64) });
