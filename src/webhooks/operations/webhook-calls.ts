import { findLogRange } from '../../events/feed/events.queries.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findWebhookSender, insertDelivery, recordTest } from '../delivery/delivery.queries.ts';
import { sendTest } from '../delivery/send-test.ts';
import { webhookScopes } from '../delivery/stop-reasons.ts';
import { wakeSender } from '../delivery/wake-sender.ts';
import { sealSecret } from '../secrets/secret-seal.ts';
import { createWebhookSecret } from '../secrets/signature.ts';
import { countDeliveries, findLastTest, listDeliveries } from './deliveries.queries.ts';
import { requireCreator, requireSafeUrl, webhookNotFoundError } from './webhooks.policy.ts';
import { toDelivery, toWebhook } from './webhooks.present.ts';
import { findWebhook, replaceSecret, rewindWebhook } from './webhooks.queries.ts';
import {
  listDeliveriesInput,
  replayWebhookInput,
  webhook,
  webhookDelivery,
  webhookDeliveryPage,
  webhookKeyInput,
  webhookWithSecret,
} from './webhooks.schema.ts';
import { requireWebhook } from './webhooks.ts';

const PREVIOUS_SECRET_MS = 24 * 60 * 60_000;

export const rotateWebhookSecret = defineOperation(
  {
    name: 'rotateWebhookSecret',
    summary: "Replace a webhook's secret",
    description:
      'The new secret is returned only once. Messages are also signed with up to three earlier secrets, for 24 hours each.',
    access: webhookScopes,
    capability: 'manageWebhooks',
    effect: 'write',
    input: webhookKeyInput,
    output: webhookWithSecret,
    returnsSecret: true,
    audits: ['webhook.secret_rotated'],
  },
  async (ctx, { id }) => {
    const { db, caller, now, request, reach } = ctx;
    const before = await requireWebhook(ctx, id);
    requireCreator(caller, before);
    const secret = createWebhookSecret();
    const sealed = await sealSecret(request.config, caller.workspaceId, secret);
    const [, changed] = await db.batch([
      replaceSecret(caller, id, sealed, now + PREVIOUS_SECRET_MS),
      findWebhook(caller, reach, id),
      recordAuditEntry(ctx, { type: 'webhook.secret_rotated', subject: { id, name: before.url } }),
    ]);
    if (!changed) throw webhookNotFoundError(id);
    return { ...toWebhook(changed, now), secret };
  },
);

export const testWebhook = defineOperation(
  {
    name: 'testWebhook',
    summary: 'Send a webhook.test event, and return the response',
    description:
      "The test isn't part of the event sequence: it neither delays nor skips other events, and it works for a paused webhook. If it succeeds, a webhook that is waiting to retry tries again immediately.",
    access: webhookScopes,
    capability: 'manageWebhooks',
    effect: 'write',
    input: webhookKeyInput,
    output: webhookDelivery,
    replay: {
      rebuild: async ({ db, caller, reach }, { id }) => {
        const [sent] = await db.batch([findLastTest(caller, id)]);
        if (!sent) throw webhookNotFoundError(id);
        return toDelivery(sent, reach);
      },
    },
  },
  async (ctx, { id }) => {
    const { db, caller, now, request, reach } = ctx;
    const found = await requireWebhook(ctx, id);
    requireCreator(caller, found);
    requireSafeUrl(request, found.url);
    const [sender] = await db.batch([findWebhookSender(caller.workspace, id)]);
    const sent = sender && (await sendTest(request, caller.workspaceId, sender));
    if (!sent) {
      throw new AppError(
        'invalid_request',
        ({ call }) =>
          `The secret of webhook ${id} was encrypted with a key that Edgework no longer has. Create a new secret with ${call('rotateWebhookSecret')}.`,
      );
    }
    const { message, attempt } = sent;
    const [, , kept] = await db.batch([
      recordTest(caller.workspace, id, attempt.isDelivered),
      insertDelivery(caller.workspace, id, message, attempt, now),
      findLastTest(caller, id),
    ]);
    if (!kept) throw webhookNotFoundError(id);
    if (attempt.isDelivered) wakeSender(request, caller);
    return toDelivery(kept, reach);
  },
);

export const replayWebhook = defineOperation(
  {
    name: 'replayWebhook',
    summary: 'Resend events',
    description:
      'Resends every event whose `seq` is above `after`, in order. Each event has the same `id` as before.',
    access: webhookScopes,
    capability: 'manageWebhooks',
    effect: 'write',
    input: replayWebhookInput,
    output: webhook,
    replay: {
      rebuild: async (ctx, { id }) => toWebhook(await requireWebhook(ctx, id), ctx.now),
    },
  },
  async (ctx, { id, after }) => {
    const { db, caller, now, request, reach } = ctx;
    requireCreator(caller, await requireWebhook(ctx, id));
    const [{ oldest, head }] = await db.batch([findLogRange(caller)]);
    if (after > head) {
      throw invalidRequestError(
        ({ field }) => `${field('after')} must be at most ${head}, the newest event; got ${after}.`,
      );
    }
    if (after > 0 && after < oldest - 1) {
      throw invalidRequestError(
        ({ field }) =>
          `${field('after')} must be 0 or at least ${oldest - 1}; got ${after}. Events are kept for 30 days, and the oldest event is ${oldest}. Read the lists again, then continue after ${head}.`,
      );
    }
    const [, changed] = await db.batch([
      rewindWebhook(caller, id, Math.max(after, oldest - 1)),
      findWebhook(caller, reach, id),
    ]);
    if (!changed) throw webhookNotFoundError(id);
    wakeSender(request, caller);
    return toWebhook(changed, now);
  },
);

export const listWebhookDeliveries = defineOperation(
  {
    name: 'listWebhookDeliveries',
    summary: "List a webhook's last 100 delivery attempts, newest first",
    description: 'Each attempt includes its time, the events sent and the response.',
    access: 'webhooks:write',
    capability: 'manageWebhooks',
    effect: 'read',
    input: listDeliveriesInput,
    output: webhookDeliveryPage,
  },
  async ({ db, caller, reach }, { id, ...input }) => {
    const range = toRange(input, 1);
    const [found, total, rows] = await db.batch([
      findWebhook(caller, reach, id),
      countDeliveries(caller, id),
      listDeliveries(caller, id, range),
    ]);
    if (!found) throw webhookNotFoundError(id);
    return buildPage({ range, total, rows, key: (row) => [row.no], show: (row) => toDelivery(row, reach) });
  },
);
