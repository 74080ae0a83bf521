import * as z from 'zod';
import { isTimeZone } from '../../kernel/dates/time-zone.ts';
import { workspaceId, workspaceName } from '../../tasks/summaries/summaries.schema.ts';
import { workspaceNameInput } from '../directory/workspaces.schema.ts';

const timezone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be UTC or a time zone name such as Europe/Vienna');

export const workspaceSettings = z.object({
  id: workspaceId,
  name: workspaceName,
  timezone: z.string().max(64),
  dailyCapacityHours: z.number(),
  plan: z.enum(['free', 'medium', 'pro']),
  mayChange: z.boolean(),
  isOwner: z.boolean(),
});

export const workspaceUpdateInput = z.strictObject({
  name: workspaceNameInput.optional(),
  timezone: timezone.optional(),
  dailyCapacityHours: z.number().min(0.5).max(24).multipleOf(0.25).optional(),
});
