import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';

export const title = z.string().max(200);
export const reason = z.string().max(1_000);
export const statuses = ['open', 'proposed', 'applied', 'rejected', 'discarded'] as const;

export const changeSetSummary = z.object({
  id: integerId,
  app: z.string(),
  title: z.string(),
  reason: z.string(),
  status: z.enum(statuses),
  items: z.int(),
  createdAt: z.string(),
  expiresAt: z.string(),
  isExpired: z.boolean(),
});
export type ChangeSetSummary = z.output<typeof changeSetSummary>;
