import type { toEvent } from '../../events/feed/events.present.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';

type FeedEvent = ReturnType<typeof toEvent>;

interface SentEvent extends FeedEvent {
  /**
   * The `seq` of the event sent before this one. Null if the webhook was just created or rewound, or if it skipped
   * deleted events.
   */
  readonly previousSeq: number | null;
}

export interface WebhookMessage {
  readonly id: string;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly body: string;
}

export function composeMessage(
  sender: { id: number; batch: 0 | 1; delivered: number | null },
  events: readonly [FeedEvent, ...FeedEvent[]],
): WebhookMessage {
  const sent = events.map((event, index): SentEvent => {
    const before = index === 0 ? sender.delivered : events[index - 1]?.seq;
    return { ...event, previousSeq: before ?? null };
  });
  const [first] = events;
  const last = events.at(-1) ?? first;
  return {
    id: sender.batch === 1 ? `batch_${sender.id}_${first.id}-${last.seq}` : first.id,
    firstSeq: first.seq,
    lastSeq: last.seq,
    body: JSON.stringify(sender.batch === 1 ? { events: sent } : sent[0]),
  };
}

export function composeTestMessage(webhook: number, now: number): WebhookMessage {
  const id = `test_${webhook}_${crypto.randomUUID()}`;
  const body = { id, type: 'webhook.test', occurredAt: toTimestamp(now), webhook: { id: webhook } };
  return { id, firstSeq: null, lastSeq: null, body: JSON.stringify(body) };
}
