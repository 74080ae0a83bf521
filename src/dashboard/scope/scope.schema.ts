import * as z from 'zod';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';

export const peopleFilter = {
  teamId: z.array(integerId).optional().meta({
    description: 'Comma-separated team ids. Includes sub-teams. With assigneeId, only people who match both.',
  }),
  assigneeId: z.array(z.string().min(1)).optional().meta({ description: 'Comma-separated user ids.' }),
};
export const projectFilter = {
  projectId: integerId.optional(),
  projectStatus: z
    .string()
    .max(50)
    .optional()
    .meta({ description: 'The exact project status.', example: 'in-progress' }),
};
export const textFilter = z.string().max(200).optional();
export const dateRange = { from: civilDate.optional(), to: civilDate.optional() };
