import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';

const name = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => text.trim() !== '', 'must not be blank');
const parentId = integerId.nullable().meta({ description: 'The parent team.' });
const userId = z.string().min(1).max(100);

export const teamCreateInput = z.strictObject({ name, parentId: parentId.default(null) });
export const teamCreated = z.object({ id: integerId });
export const teamUpdateInput = z.strictObject({
  id: integerId,
  name: name.optional(),
  parentId: parentId.optional(),
});
export const teamIdInput = z.strictObject({ id: integerId });
export const teamMemberInput = z.strictObject({
  id: integerId,
  userId,
  role: z.enum(['lead', 'member']).default('member'),
});
export const teamPersonInput = z.strictObject({ id: integerId, userId });
