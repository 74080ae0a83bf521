import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { referenceText } from '../summaries/summaries.schema.ts';

const value = z
  .string()
  .min(1)
  .max(80)
  .refine((text) => text.trim() !== '', 'must not be blank');
const defaultEstimatedHours = z.number().min(0).max(9_999.99).multipleOf(0.01).nullable();
const isActive = z.boolean().meta({
  description: "If false, forms don't offer this category or type. Tasks that already have it keep it.",
});

export const categoryCreateInput = z.strictObject({
  value,
  defaultEstimatedHours: defaultEstimatedHours.default(null),
});
export const typeCreateInput = categoryCreateInput.extend({ categoryId: integerId });
export const createdItem = z.object({ id: integerId });

export const categoryUpdateInput = z.strictObject({
  id: integerId,
  value: value.optional(),
  defaultEstimatedHours: defaultEstimatedHours.optional(),
  isActive: isActive.optional(),
});

const itemFields = {
  id: integerId,
  key: referenceText,
  value: referenceText,
  defaultEstimatedHours: z.number().nullable(),
  isActive,
};

export const categoryTree = z.object({
  categories: z.array(z.object({ ...itemFields, types: z.array(z.object(itemFields)) })),
  mayChange: z.boolean(),
});
