import type * as z from 'zod';
import type { Reach } from '../kernel/capabilities.ts';
import { toTimestamp } from '../kernel/schema.ts';
import type { DeliveryRow } from './deliveries.queries.ts';
import type { WebhookRow } from './webhooks.queries.ts';
import type { Webhook, webhookDelivery } from './webhooks.schema.ts';

const whenAny = (ms: number | null) => (ms === null ? null : toTimestamp(ms));

export function toWebhook(row: WebhookRow, now: number): Webhook {
  const { projectId, previousUntil } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types === null ? null : JSON.parse(row.types),
    project: projectId === null ? null : { id: projectId, name: row.projectName ?? '' },
    batch: row.batch === 1,
    status: row.status,
    stopReason: row.stopReason,
    cursor: row.cursor,
    failures: row.failures,
    failingSince: whenAny(row.failingSince),
    nextAttemptAt: row.status === 'active' ? whenAny(row.nextAttemptAt) : null,
    lastDeliveredAt: whenAny(row.deliveredAt),
    previousSecretUntil: previousUntil !== null && previousUntil > now ? toTimestamp(previousUntil) : null,
    madeWith: row.madeWith,
    createdBy: { id: row.creatorId, name: row.creatorName, email: row.creatorEmail },
    createdAt: toTimestamp(row.createdAt),
  };
}

/** What a receiver answered may be a page of an inner network that slipped through: only owners and admins read it. */
export function toDelivery(row: DeliveryRow, reach: Reach): z.input<typeof webhookDelivery> {
  return {
    id: row.no,
    messageId: row.message,
    firstSeq: row.firstSeq,
    lastSeq: row.lastSeq,
    status: row.status,
    error: row.error,
    ms: row.ms,
    answer: reach === 'all' ? row.answer : null,
    attemptedAt: toTimestamp(row.attemptedAt),
  };
}
