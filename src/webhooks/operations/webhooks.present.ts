import type * as z from 'zod';
import type { Reach } from '../../kernel/access/capabilities.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { DeliveryRow } from './deliveries.queries.ts';
import type { WebhookRow } from './webhooks.queries.ts';
import type { Webhook, webhookDelivery } from './webhooks.schema.ts';

const toOptionalTimestamp = (ms: number | null) => (ms === null ? null : toTimestamp(ms));

export function toWebhook(row: WebhookRow, now: number): Webhook {
  const { project_id: projectId, previous_until: previousUntil } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types === null ? null : JSON.parse(row.types),
    project: projectId === null ? null : { id: projectId, name: row.project_name ?? '' },
    batch: row.batch === 1,
    status: row.status,
    stopReason: row.stop_reason,
    cursor: row.cursor,
    failures: row.failures,
    failingSince: toOptionalTimestamp(row.failing_since),
    nextAttemptAt: row.status === 'active' ? toOptionalTimestamp(row.next_attempt_at) : null,
    lastDeliveredAt: toOptionalTimestamp(row.delivered_at),
    previousSecretUntil: previousUntil !== null && previousUntil > now ? toTimestamp(previousUntil) : null,
    madeWith: row.made_with,
    createdBy: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
    createdAt: toTimestamp(row.created_at),
  };
}

/** Despite the URL check, the response could come from an internal network, so only owners and admins see it. */
export function toDelivery(row: DeliveryRow, reach: Reach): z.input<typeof webhookDelivery> {
  return {
    id: row.no,
    messageId: row.message,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
    status: row.status,
    error: row.error,
    ms: row.ms,
    answer: reach === 'all' ? row.answer : null,
    attemptedAt: toTimestamp(row.attempted_at),
  };
}
