import * as z from 'zod';
import { changeOrigins } from '../../kernel/access/access.ts';
import { examplePerson, exampleUserId } from '../../kernel/operation/examples.ts';
import { buildAsciiTextSchema, integerId, jsonByteLimits, timestamp } from '../../kernel/operation/schema.ts';
import { personId, personName } from '../../tasks/summaries/summaries.schema.ts';
import { type EventType, entitiesWithTextIds, eventTypes } from '../log/event-types.ts';

const EVENTS_LIMIT_DEFAULT = 100;
const EVENTS_LIMIT_MAX = 300;
const WAIT_SECONDS_MAX = 25;

const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];
export const eventKinds = [...new Set(eventTypeNames.map((name) => name.slice(0, name.indexOf('.'))))];

const entityReference = z.object({ id: z.int() });
const eventActor = z.object({ id: personId, name: personName });

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

const entityFields = Object.fromEntries(
  [...new Set(Object.values(eventTypes))].flatMap((field) =>
    field === null
      ? []
      : [
          [
            field,
            z.object({ id: entitiesWithTextIds.includes(field) ? personId : z.int() }).optional(),
          ] as const,
        ],
  ),
);

const changes = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }).nullable()).meta({
  description:
    'The changed fields, with values as in list responses. Null if a value is too long to include; in that case, fetch the item.',
});
// Task changes are the largest: the old and new names can each have 600 characters, with up to six bytes each as JSON.
jsonByteLimits.add(changes, { bytes: 16_384 });

export const event = z
  .object({
    id: buildAsciiTextSchema(80).meta({
      description: "The event's id, which is the same for all readers and in all deliveries.",
    }),
    seq: z.int().meta({ description: "The event's sequence number in its workspace, without gaps." }),
    type: z.enum(eventTypeNames),
    occurredAt: timestamp,
    actor: eventActor
      .nullable()
      .meta({ description: 'The person who made the change. Null if Edgework made it automatically.' }),
    via: z.enum(changeOrigins),
    project: entityReference.nullable(),
    task: entityReference.nullable(),
    ...entityFields,
    changes,
  })
  .meta({ id: 'Event', example: exampleEvent });

export const eventTypePatterns = [...eventTypeNames, ...eventKinds.map((group) => `${group}.*`)] as [
  string,
  ...string[],
];

const eventTypeList = z
  .array(z.enum(eventTypePatterns))
  .min(1)
  .meta({
    description: 'Only events of these types. Comma-separated; `task.*` means all task events.',
    example: ['task.*'],
  });

export function expandEventType(name: string): EventType[] {
  return name.endsWith('.*')
    ? eventTypeNames.filter((each) => each.startsWith(name.slice(0, -1)))
    : eventTypeNames.filter((each) => each === name);
}

export const eventListInput = z.strictObject({
  after: z.int().min(0).optional().meta({
    description:
      'The `nextAfter` of the previous page, or 0 to start with the oldest event. If omitted, no events are returned, and `nextAfter` is the end of the log.',
    example: 0,
  }),
  types: eventTypeList.optional(),
  projectId: integerId.optional().meta({ description: 'Only events in this project.' }),
  limit: z
    .int()
    .min(1)
    .max(EVENTS_LIMIT_MAX)
    .default(EVENTS_LIMIT_DEFAULT)
    .meta({ description: 'Events per page.', example: 100 }),
  wait: z
    .int()
    .min(0)
    .max(WAIT_SECONDS_MAX)
    .default(0)
    .meta({ description: 'How many seconds to wait for a new event if there are none.', example: 25 }),
});

export const eventFeed = z
  .object({
    data: z.array(event).max(EVENTS_LIMIT_MAX),
    meta: z.object({
      nextAfter: z.int().meta({
        description:
          "Send this as `after` in the next request. It covers every event so far, including events you can't see.",
      }),
      hasMore: z
        .boolean()
        .meta({ description: 'Whether there are more events. If so, request the next page immediately.' }),
    }),
  })
  .meta({ id: 'EventFeed' });
