import * as z from 'zod';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';

export const peopleFilter = {
  teamId: z.array(integerId).optional().meta({
    description: 'Comma-separated team ids, including sub-teams. With assigneeId, only people in both.',
  }),
  assigneeId: z.array(z.string().min(1)).optional().meta({ description: 'Comma-separated user ids.' }),
};
export const projectFilter = {
  projectId: integerId.optional(),
  projectStatus: z.string().max(50).optional().meta({ description: 'Exact match.', example: 'in-progress' }),
};
export const textFilter = z.string().max(200).optional();
export const dateRange = { from: civilDate.optional(), to: civilDate.optional() };
