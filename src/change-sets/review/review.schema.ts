import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { mentionedPeople } from '../../tasks/mentions/mentioned-people.ts';
import { changeSetSummary } from '../model/change-sets.schema.ts';

const describedItem = z.object({
  no: z.int(),
  task: integerId,
  isNew: z.boolean(),
  name: z.string(),
  project: z.string(),
  operation: z.enum(['create', 'edit', 'comment', 'time']),
  changes: z.array(z.object({ label: z.string(), from: z.string(), to: z.string() })),
  problem: z.string().nullable(),
  result: z.enum(['applied', 'conflict', 'rejected']).nullable(),
});
export type DescribedItem = z.output<typeof describedItem>;

export const changeSetDetail = changeSetSummary.extend({
  changes: z.array(describedItem),
  mentioned: mentionedPeople,
});
export type ChangeSetDetail = z.output<typeof changeSetDetail>;

export const changeSetList = z.object({ data: z.array(changeSetSummary) });

export const applyInput = z.strictObject({
  id: integerId,
  items: z.array(z.int().min(1)).max(200).optional(),
  isAllOrNothing: z.boolean().default(false),
});
export const rejectInput = z.strictObject({ id: integerId, reason: z.string().max(1_000).default('') });
export const decidedOutput = z.object({
  id: integerId,
  applied: z.int(),
  conflicts: z.int(),
  rejected: z.int(),
});
