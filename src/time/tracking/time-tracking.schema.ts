import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { civilDate, instantInput, integerId, timestamp } from '../../kernel/operation/schema.ts';
import { projectName, taskName } from '../../tasks/summaries/summaries.schema.ts';

const project = z.object({ id: integerId, name: projectName });
const seconds = z.int().min(0);
const hours = z.number().min(0).meta({ description: 'Hours, rounded to two decimals.', example: 1.58 });

export const startedTimer = z.object({ id: integerId, taskId: integerId, startTime: timestamp }).meta({
  id: 'StartedTimer',
  example: { id: 512, taskId: 1042, startTime: '2026-03-02T09:30:00.000Z' },
});

export const timeEntry = z
  .object({
    id: integerId,
    taskId: integerId,
    task: z.object({ id: integerId, name: taskName }),
    project,
    startTime: timestamp,
    endTime: timestamp.nullable().meta({ description: 'Null while the timer runs.' }),
    durationSeconds: seconds.meta({
      description: 'Duration in whole seconds. For a running timer, the time elapsed so far.',
    }),
  })
  .meta({
    id: 'TimeEntry',
    example: {
      id: 512,
      taskId: 1042,
      task: { id: 1042, name: 'Draft the launch page' },
      project: { id: 7, name: 'Spring launch' },
      startTime: '2026-03-02T09:30:00.000Z',
      endTime: '2026-03-02T11:05:00.000Z',
      durationSeconds: 5700,
    },
  });
export type TimeEntry = z.infer<typeof timeEntry>;
export const timeEntryPage = buildPageSchema(timeEntry).meta({ id: 'TimeEntryPage' });

/** Limits the response size. No one works on this many tasks in a month. */
export const TASKS_IN_STATS_MAX = 1_000;

export const timeEntryListInput = z.strictObject({
  taskId: integerId.optional(),
  from: civilDate
    .optional()
    .meta({ description: "Only entries that started on or after this day, in the workspace's time zone." }),
  to: civilDate
    .optional()
    .meta({ description: "Only entries that started on or before this day, in the workspace's time zone." }),
  ...pageInput,
});

const timeEntryFields = {
  taskId: integerId,
  startTime: instantInput.meta({ description: 'When the work started.' }),
  endTime: instantInput.meta({
    description: 'When the work ended: at most 24 hours later, and not in the future.',
    example: '2026-03-02T11:05:00.000Z',
  }),
};
export const timeEntryCreateInput = z.strictObject(timeEntryFields);
export const timeEntryUpdateInput = z.strictObject({
  id: integerId,
  ...z.strictObject(timeEntryFields).partial().shape,
});

export const namedPeriods = ['day', 'week', 'month'] as const;
export type TimePeriod = (typeof namedPeriods)[number] | 'rolling';

export const timeStatsInput = z.strictObject({
  period: z.string().default('week').meta({
    description: 'The current day, week or month. Any other value means the last 7 days.',
    example: 'week',
  }),
});

export const timeStats = z
  .object({
    period: z.enum([...namedPeriods, 'rolling']),
    from: civilDate,
    to: civilDate,
    totalSeconds: seconds,
    totalHours: hours,
    entryCount: z.int().min(0),
    tasks: z
      .array(
        z.object({
          taskId: integerId,
          taskName,
          project,
          totalSeconds: seconds,
          totalHours: hours,
          entryCount: z.int().min(1),
        }),
      )
      .max(TASKS_IN_STATS_MAX)
      .meta({
        description: `Up to ${TASKS_IN_STATS_MAX} tasks, longest time first. The totals cover all tasks.`,
      }),
  })
  .meta({
    id: 'TimeStats',
    example: {
      period: 'week',
      from: '2026-03-02',
      to: '2026-03-08',
      totalSeconds: 5700,
      totalHours: 1.58,
      entryCount: 1,
      tasks: [
        {
          taskId: 1042,
          taskName: 'Draft the launch page',
          project: { id: 7, name: 'Spring launch' },
          totalSeconds: 5700,
          totalHours: 1.58,
          entryCount: 1,
        },
      ],
    },
  });
export type TimeStats = z.infer<typeof timeStats>;
