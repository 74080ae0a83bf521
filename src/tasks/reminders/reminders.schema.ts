import * as z from 'zod';
import { instantInput, integerId, timestamp } from '../../kernel/operation/schema.ts';

export const REMINDERS_MAX = 5;
const MINUTES_BEFORE_MAX = 60 * 24 * 60;

const minutesBefore = z.int().min(0).max(MINUTES_BEFORE_MAX).meta({
  description:
    'Minutes before the due time, or before 09:00 on the day of the deadline if the task has no due time.',
  example: 30,
});

export const reminders = z
  .object({
    items: z
      .array(z.object({ minutesBefore: minutesBefore.optional(), at: timestamp.optional() }))
      .max(REMINDERS_MAX)
      .meta({ description: 'Each reminder has either `minutesBefore` or `at`.' }),
  })
  .meta({ id: 'Reminders', example: { items: [{ minutesBefore: 30 }, { at: '2026-03-08T08:00:00.000Z' }] } });

export const remindersInput = z.strictObject({
  id: integerId,
  items: z
    .array(
      z
        .strictObject({
          minutesBefore: minutesBefore.optional(),
          at: instantInput.optional().meta({ description: 'A fixed time for the reminder.' }),
        })
        .refine(({ minutesBefore: minutes, at }) => (minutes === undefined) !== (at === undefined), {
          message: 'must have either minutesBefore or at',
        }),
    )
    .max(REMINDERS_MAX)
    .meta({ description: 'All your reminders for this task. They replace your current reminders.' }),
});
