import * as z from 'zod';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';

export const peopleFilter = {
  teamId: z.array(integerId).optional().meta({
    description:
      'Only results for people in these teams and their subteams. Comma-separated ids. Can be combined with `assigneeId`: people must match both.',
  }),
  assigneeId: z
    .array(z.string().min(1))
    .optional()
    .meta({ description: 'Only results for these people. Comma-separated user ids.' }),
};
export const projectFilter = {
  projectId: integerId.optional(),
  projectStatus: z.string().max(50).optional().meta({
    description: 'Only results from projects with this status: a `value` from GET /project-statuses.',
    example: 'in-progress',
  }),
};
export const textFilter = z.string().max(200).optional();
export const dateRange = { from: civilDate.optional(), to: civilDate.optional() };
