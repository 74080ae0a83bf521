import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { personId, projectName } from '../../tasks/summaries/summaries.schema.ts';

const projectStatuses = ['planned', 'active', 'in-progress', 'on-hold', 'completed', 'cancelled'] as const;

const PROJECT_NAME_CHARACTERS_MAX = 200;
const DESCRIPTION_CHARACTERS_MAX = 10_000;
const MEMBERS_PER_REQUEST_MAX = 20;

const name = z
  .string()
  .min(1)
  .max(PROJECT_NAME_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', 'must not be blank');
const description = z.string().max(DESCRIPTION_CHARACTERS_MAX).nullable();
const status = z.enum(projectStatuses);

export const projectCreateInput = z.strictObject({
  name,
  description: description.default(null),
  status: status.default('active'),
});

export const projectCreated = z.object({ id: integerId });

export const projectSettings = z.object({
  id: integerId,
  name: projectName,
  description: z.string().max(100_000).nullable(),
  status: z.string().max(100),
  ownerId: personId,
  mayChange: z.boolean(),
});

export const projectIdInput = z.strictObject({ id: integerId });

export const projectUpdateInput = z.strictObject({
  id: integerId,
  name: name.optional(),
  description: description.optional(),
  status: status.optional(),
});

const userId = z.string().min(1).max(100);

export const projectPeopleInput = z.strictObject({
  id: integerId,
  userIds: z.array(userId).min(1).max(MEMBERS_PER_REQUEST_MAX),
});

export const projectPersonInput = z.strictObject({ id: integerId, userId });
