import * as z from 'zod';
import { emailAddress } from '../../accounts/sign-up/accounts.schema.ts';
import { integerId, timestamp } from '../../kernel/operation/schema.ts';
import { emailText, personName, projectName, workspaceName } from '../../tasks/summaries/summaries.schema.ts';

/** Excludes `owner`, because ownership can only be transferred. */
const invitableRoles = ['admin', 'lead', 'member', 'client'] as const;
export type InvitedRole = (typeof invitableRoles)[number];

const PROJECTS_MAX = 50;

export const invitePersonInput = z.strictObject({
  email: emailAddress,
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
