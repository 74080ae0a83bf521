import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson, exampleUserId } from '../../kernel/operation/examples.ts';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  civilDate,
  integerId,
  timestamp,
} from '../../kernel/operation/schema.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';
import { personSummary, projectName } from '../../tasks/summaries/summaries.schema.ts';

const PARTICIPANTS_MAX = 50;
const DURATION_MINUTES_MAX = 31 * 24 * 60;
const NAME_CHARACTERS_MAX = 200;
const LINK_CHARACTERS_MAX = 2_000;
const LOCATION_CHARACTERS_MAX = 200;
const RECURRENCE_CHARACTERS_MAX = 500;
/** Limits the size of a sanitized description as JSON, because each participant's task stores a copy. */
export const DESCRIPTION_BYTES_MAX = 36_000;
const descriptionText = buildAsciiTextSchema(DESCRIPTION_BYTES_MAX);

const time = z
  .string()
  .max(5)
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day from 00:00 to 23:59 in the form HH:MM')
  .meta({
    description: 'A time of day without a time zone. Every viewer sees the same time.',
    example: '14:30',
  });
const name = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({ example: 'Launch review' });
const description = z.string().max(10_000).meta({
  description: 'Rich text (HTML); unsafe markup is removed.',
  example: '<p>Agenda: copy, budget, next steps.</p>',
});
const meetingLink = z
  .string()
  .max(LINK_CHARACTERS_MAX)
  .refine((text) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text), {
    message: 'must be a URL that begins with https:// or http://',
  })
  .meta({ example: 'https://meet.example.com/launch' });
const location = z.string().max(LOCATION_CHARACTERS_MAX).meta({ example: 'Room 4' });
const recurrence = z.string().max(RECURRENCE_CHARACTERS_MAX).meta({
  description:
    'An iCalendar recurrence rule (RFC 5545). FREQ must be DAILY, WEEKLY or MONTHLY. INTERVAL, BYDAY, BYMONTHDAY, and COUNT or UNTIL are optional. Requires the lead, admin or owner role, and a plan with recurring meetings.',
  example: 'FREQ=WEEKLY;BYDAY=MO',
});

const durationPart = z.int().min(0).max(DURATION_MINUTES_MAX);
const duration = z.object({ days: durationPart, hours: durationPart, minutes: durationPart });
const durationInput = z
  .strictObject({
    days: durationPart.default(0),
    hours: durationPart.default(0),
    minutes: durationPart.default(0),
  })
  .refine((parts) => toTotalMinutes(parts) > 0 && toTotalMinutes(parts) <= DURATION_MINUTES_MAX, {
    message: 'must be from 1 minute to 31 days in total',
  })
  .meta({
    description: 'Defaults to one hour.',
    example: { days: 0, hours: 1, minutes: 30 },
  });

export function toTotalMinutes({ days, hours, minutes }: z.infer<typeof duration>): number {
  return (days * 24 + hours) * 60 + minutes;
}

const participant = personSummary.extend({
  taskId: integerId.meta({ description: "This person's task for the latest occurrence." }),
  status: z.enum(taskStatuses).meta({ description: "The status of this person's task." }),
});

export const meeting = z
  .object({
    id: integerId,
    name: z.string().max(NAME_CHARACTERS_MAX),
    description: descriptionText.nullable(),
    project: z.object({ id: integerId, name: projectName }),
    date: civilDate.meta({ description: 'Date of the latest occurrence.' }),
    time: time.meta({
      description: 'The time of the latest occurrence, without a time zone. Every viewer sees the same time.',
    }),
    duration,
    meetingLink: buildPlainTextSchema(LINK_CHARACTERS_MAX).nullable(),
    location: z.string().max(LOCATION_CHARACTERS_MAX).nullable(),
    recurrence: buildAsciiTextSchema(RECURRENCE_CHARACTERS_MAX).nullable(),
    participants: z.array(participant).max(PARTICIPANTS_MAX),
    createdBy: personSummary,
    createdAt: timestamp,
  })
  .meta({
    id: 'Meeting',
    example: {
      id: 12,
      name: 'Launch review',
      description: '<p>Agenda: copy, budget, next steps.</p>',
      project: { id: 7, name: 'Spring launch' },
      date: '2026-03-09',
      time: '14:30',
      duration: { days: 0, hours: 1, minutes: 30 },
      meetingLink: 'https://meet.example.com/launch',
      location: null,
      recurrence: 'FREQ=WEEKLY;BYDAY=MO',
      participants: [{ ...examplePerson, taskId: 1042, status: 'todo' }],
      createdBy: examplePerson,
      createdAt: '2026-03-02T09:30:00.000Z',
    },
  });
export type Meeting = z.infer<typeof meeting>;
export const meetingPage = buildPageSchema(meeting).meta({ id: 'MeetingPage' });

export const meetingListInput = z.strictObject({
  projectId: integerId.optional(),
  from: civilDate
    .optional()
    .meta({ description: 'Only meetings whose latest occurrence is on or after this day.' }),
  to: civilDate
    .optional()
    .meta({ description: 'Only meetings whose latest occurrence is on or before this day.' }),
  order: z.enum(['asc', 'desc']).default('asc').meta({
    description: 'The sort order by start time. Meetings without an upcoming occurrence always come last.',
  }),
  ...pageInput,
});
export type MeetingListInput = z.infer<typeof meetingListInput>;

export const meetingIdInput = z.strictObject({ id: integerId });

export const meetingCreateInput = z.strictObject({
  projectId: integerId,
  name,
  description: description.nullish(),
  date: civilDate,
  time,
  participantIds: z
    .array(z.string().min(1).max(100))
    .min(1)
    .refine((ids) => new Set(ids).size <= PARTICIPANTS_MAX, {
      message: `must contain at most ${PARTICIPANTS_MAX} people`,
    })
    .meta({
      description: 'User ids of project members; include your own to attend. Duplicates are removed.',
      example: [exampleUserId],
    }),
  meetingLink: meetingLink.nullish(),
  location: location.nullish(),
  duration: durationInput.nullish(),
  recurrence: recurrence.nullish(),
});
export type MeetingCreateInput = z.infer<typeof meetingCreateInput>;

export const meetingUpdateInput = z.strictObject({
  id: integerId,
  date: civilDate.optional().meta({ description: 'Unchanged if omitted.' }),
  time: time.optional().meta({ description: 'Unchanged if omitted.' }),
  meetingLink: meetingLink.nullish().meta({ description: 'Send null to clear it.' }),
  location: location.nullish().meta({ description: 'Send null to clear it.' }),
});
export type MeetingUpdateInput = z.infer<typeof meetingUpdateInput>;
