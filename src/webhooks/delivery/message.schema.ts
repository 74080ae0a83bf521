import * as z from 'zod';
import { event, exampleEvent } from '../../events/feed/events.schema.ts';
import { integerId, timestamp } from '../../kernel/operation/schema.ts';

const sentEvent = event
  .extend({
    previousSeq: z.int().nullable().meta({
      description:
        'The `seq` that this webhook got before. If it is not the last that you got, ask for a replay behind that one. Null where a chain begins: a new webhook, a replay, or events that were forgotten while it stood still.',
    }),
  })
  .meta({ id: 'SentEvent', example: { ...exampleEvent, previousSeq: 809 } });

const test = z
  .object({
    id: z.string(),
    type: z.literal('webhook.test'),
    occurredAt: timestamp,
    webhook: z.object({ id: integerId }),
  })
  .meta({
    id: 'WebhookTest',
    example: {
      id: 'test_4_b3f1c0de',
      type: 'webhook.test',
      occurredAt: '2026-03-02T09:30:00.000Z',
      webhook: { id: 4 },
    },
  });

/** The messages that a webhook is sent. */
export const sentMessages = {
  eventSent: { summary: 'One event, the next one only after a 2xx', body: sentEvent },
  eventsSent: {
    summary: 'Up to 100 events in their order, to webhooks with `batch`',
    body: z.object({ events: z.array(sentEvent).min(1).max(100) }).meta({ id: 'SentEvents' }),
  },
  testSent: { summary: 'What the test call sends, outside of the order', body: test },
};
