import * as z from 'zod';
import { buildAsciiTextSchema, integerId } from '../../kernel/operation/schema.ts';
import { recurrenceModes } from '../../schema/cell/recurrences.ts';

const RULE_CHARACTERS_MAX = 300;
const DAYS_AFTER_COMPLETION_MAX = 365;

const rule = z.string().max(RULE_CHARACTERS_MAX).meta({
  description:
    'An iCalendar recurrence rule (RFC 5545). FREQ must be DAILY, WEEKLY or MONTHLY. INTERVAL, BYDAY, BYMONTHDAY, and COUNT or UNTIL are optional.',
  example: 'FREQ=WEEKLY;BYDAY=MO',
});
const mode = z.enum(recurrenceModes).meta({
  description:
    "`schedule` creates the next task on the current task's deadline; `completion` creates it when the current task is completed.",
  example: 'schedule',
});
const days = z.int().min(1).max(DAYS_AFTER_COMPLETION_MAX).meta({
  description:
    'Only with `completion`: the next task is due this many days after completion, instead of following the rule.',
  example: 7,
});

export const ruleInput = z.strictObject({ rule, mode, days: days.nullish() });
export const recurrenceInput = z.strictObject({ id: integerId, ...ruleInput.shape });

const linkedTask = integerId.nullable();
export const recurrence = z
  .object({
    rule: buildAsciiTextSchema(RULE_CHARACTERS_MAX)
      .nullable()
      .meta({ description: 'Null once the rule has moved to the next task, or after the series has ended.' }),
    mode,
    days: days.nullable(),
    previousId: linkedTask.meta({
      description: "The previous task in the series. Null if there is none, or if you can't see it.",
    }),
    nextId: linkedTask.meta({
      description: "The next task in the series. Null if there is none, or if you can't see it.",
    }),
  })
  .meta({
    id: 'Recurrence',
    example: { rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'schedule', days: null, previousId: 1042, nextId: null },
  });
