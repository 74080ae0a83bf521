import * as z from 'zod';
import { buildAsciiTextSchema, civilDate } from '../../kernel/operation/schema.ts';
import { colorText, personAvatarWithEmail } from '../../tasks/summaries/summaries.schema.ts';
import { dateRange, peopleFilter, projectFilter } from '../scope/scope.schema.ts';

export const workloadModes = ['daily', 'monthly'] as const;
export const workloadInput = z.strictObject({
  ...dateRange,
  ...peopleFilter,
  ...projectFilter,
  mode: z.enum(workloadModes).default('daily'),
});
export type WorkloadInput = z.infer<typeof workloadInput>;

export const breakdownKeys = [
  'overdue',
  'due',
  'in-progress',
  'internal-review',
  'client-review',
  'completed',
] as const;
export const workload = z
  .object({
    mode: z.enum(workloadModes),
    from: civilDate,
    to: civilDate,
    workloads: z.array(
      z.object({
        user: personAvatarWithEmail,
        capacityHours: z.number(),
        plannedHours: z.number(),
        utilization: z.int().meta({ description: 'Planned hours as a percentage of capacity.' }),
        activeTasks: z.int(),
        breakdown: z
          .array(
            z.object({
              key: z.enum(breakdownKeys),
              label: buildAsciiTextSchema(50),
              color: colorText,
              count: z.int(),
              estimatedHours: z.number(),
            }),
          )
          .max(breakdownKeys.length),
      }),
    ),
  })
  .meta({ id: 'Workload' });
