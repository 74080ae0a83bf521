import * as z from 'zod';
import { event, exampleEvent } from '../../events/feed/events.schema.ts';
import { integerId, timestamp } from '../../kernel/operation/schema.ts';

const sentEvent = event
  .extend({
    previousSeq: z.int().nullable().meta({
      description:
        "The `seq` of the event sent before this one. If you haven't received that event, replay from the last event that you have. Null for a new webhook's first event, after a replay, and if events expired while the webhook was inactive.",
    }),
  })
  .meta({ id: 'SentEvent', example: { ...exampleEvent, previousSeq: 809 } });

const testMessage = z
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

export const sentMessages = {
  eventSent: { summary: 'One event; the next event follows only after a 2xx response', body: sentEvent },
  eventsSent: {
    summary: 'Up to 100 events in order, for webhooks that send batches',
    body: z.object({ events: z.array(sentEvent).min(1).max(100) }).meta({ id: 'SentEvents' }),
  },
  testSent: { summary: "A test event, which isn't part of the event sequence", body: testMessage },
};
