import * as z from 'zod';
import { examplePerson, exampleUserId } from '../../kernel/operation/examples.ts';
import { asciiText, integerId, jsonBytesMax, timestamp } from '../../kernel/operation/schema.ts';
import { personId, personName } from '../../tasks/summaries/summaries.schema.ts';
import { type EventType, eventTypes, textEntities } from '../log/event-types.ts';

const EVENTS_LIMIT_DEFAULT = 100;
const EVENTS_LIMIT_MAX = 300;
const WAIT_SECONDS_MAX = 25;

const names = Object.keys(eventTypes) as [EventType, ...EventType[]];
/** The part of a type before its dot. */
export const groups = [...new Set(names.map((name) => name.slice(0, name.indexOf('.'))))];

const numbered = z.object({ id: z.int() });
const named = z.object({ id: personId, name: personName });

export const exampleEvent = {
  id: 'evt_5TbQm_812',
  seq: 812,
  type: 'task.updated',
  occurredAt: '2026-03-02T09:30:00.000Z',
  actor: { id: exampleUserId, name: examplePerson.name },
  via: 'session',
  project: { id: 3 },
  task: { id: 42 },
  changes: { status: { from: 'todo', to: 'in_progress' } },
};

/** What an event is about besides its project and task: one of these fields, by its type. */
const entities = Object.fromEntries(
  [...new Set(Object.values(eventTypes))].flatMap((field) =>
    field === null
      ? []
      : [[field, z.object({ id: textEntities.includes(field) ? personId : z.int() }).optional()] as const],
  ),
);

const changes = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }).nullable()).meta({
  description:
    'What changed, by field, with the values that the lists show. Null for a text that is too long to be told: fetch it.',
});
// The longest is a new name of a task, 600 characters before and after, beside its other fields.
jsonBytesMax.add(changes, { bytes: 16_384 });

export const event = z
  .object({
    id: asciiText(80).meta({ description: 'The same for every reader and every delivery.' }),
    seq: z.int().meta({ description: 'Counts the events of the workspace without a gap.' }),
    type: z.enum(names),
    occurredAt: timestamp,
    actor: named.nullable().meta({ description: 'Null where the service itself acted.' }),
    via: z.enum(['session', 'api_key', 'oauth', 'mcp', 'system']),
    project: numbered.nullable(),
    task: numbered.nullable(),
    ...entities,
    changes,
  })
  .meta({ id: 'Event', example: exampleEvent });

/** The types themselves, and all of a kind, such as `task.*`. */
export const typesAndKinds = [...names, ...groups.map((group) => `${group}.*`)] as [string, ...string[]];

const eventTypeList = z
  .array(z.enum(typesAndKinds))
  .min(1)
  .meta({ description: 'Comma-separated; task.* stands for all of a kind.', example: ['task.*'] });

export function expand(name: string): EventType[] {
  return name.endsWith('.*')
    ? names.filter((each) => each.startsWith(name.slice(0, -1)))
    : names.filter((each) => each === name);
}

export const eventListInput = z.strictObject({
  after: z.int().min(0).optional().meta({
    description:
      'The nextAfter of the page before; 0 begins with the oldest event that is kept. Without it the answer holds no event and says where the log ends.',
    example: 0,
  }),
  types: eventTypeList.optional(),
  projectId: integerId.optional().meta({ description: 'Only what happened in this project.' }),
  limit: z
    .int()
    .min(1)
    .max(EVENTS_LIMIT_MAX)
    .default(EVENTS_LIMIT_DEFAULT)
    .meta({ description: 'Events a page.', example: 100 }),
  wait: z
    .int()
    .min(0)
    .max(WAIT_SECONDS_MAX)
    .default(0)
    .meta({ description: 'Seconds to hold the request until something comes.', example: 25 }),
});

export const eventFeed = z
  .object({
    data: z.array(event).max(EVENTS_LIMIT_MAX),
    meta: z.object({
      nextAfter: z
        .int()
        .meta({ description: 'Send it as after: everything up to it was looked at, shown or not.' }),
      hasMore: z.boolean().meta({ description: 'More of the log follows; ask again at once.' }),
    }),
  })
  .meta({ id: 'EventFeed' });
