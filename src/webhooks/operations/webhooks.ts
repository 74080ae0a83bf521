import { createWithFreshSignIn, requireFreshSignIn } from '../../accounts/credentials/fresh-sign-in.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import { sentMessages } from '../delivery/message.schema.ts';
import { webhookScopes } from '../delivery/stop-reasons.ts';
import { wakeSender } from '../delivery/wake-sender.ts';
import { sealSecret } from '../secrets/secret-seal.ts';
import { createWebhookSecret } from '../secrets/signature.ts';
import {
  requireCreator,
  requireSafeUrl,
  requireWebhookRole,
  webhookNotFoundError,
} from './webhooks.policy.ts';
import { toWebhook } from './webhooks.present.ts';
import {
  assertWebhook,
  countVisibleProjects,
  countWebhooks,
  findNewestWebhook,
  findWebhook,
  insertWebhook,
  newestWebhookId,
  deleteWebhook as removeWebhook,
  updateWebhook as rewriteWebhook,
  listWebhooks as selectWebhooks,
  type WebhookRow,
} from './webhooks.queries.ts';
import {
  createWebhookInput,
  listWebhooksInput,
  updateWebhookInput,
  webhook,
  webhookKeyInput,
  webhookPage,
  webhookWithSecret,
} from './webhooks.schema.ts';

export const listWebhooks = defineOperation(
  {
    name: 'listWebhooks',
    summary: 'List webhooks, newest first',
    description: 'Returns your own webhooks; owners and admins see all webhooks in the workspace.',
    access: 'webhooks:write',
    capability: 'manageWebhooks',
    effect: 'read',
    input: listWebhooksInput,
    output: webhookPage,
  },
  async ({ db, caller, reach, now }, input) => {
    const range = toRange(input, 1);
    const [rows, total] = await db.batch([
      selectWebhooks(caller, reach, range),
      countWebhooks(caller, reach),
    ]);
    return buildPage({ range, total, rows, key: (row) => [row.id], show: (row) => toWebhook(row, now) });
  },
);

export const getWebhook = defineOperation(
  {
    name: 'getWebhook',
    summary: 'Get a webhook',
    description: "Includes its progress and, if it stopped, the reason. Doesn't include the secret.",
    access: 'webhooks:write',
    capability: 'manageWebhooks',
    effect: 'read',
    input: webhookKeyInput,
    output: webhook,
  },
  async (ctx, { id }) => toWebhook(await requireWebhook(ctx, id), ctx.now),
);

export const createWebhook = defineOperation(
  {
    name: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events are sent to your URL, starting with the next event. Each delivery contains only what this credential can see at that time. The secret is returned only once.',
    access: webhookScopes,
    capability: 'manageWebhooks',
    effect: 'write',
    input: createWebhookInput,
    output: webhookWithSecret,
    returnsSecret: true,
    sends: sentMessages,
    audits: ['webhook.created', 'webhook.deleted'],
  },
  async (ctx, input) => {
    const { db, caller, now, request } = ctx;
    requireWebhookRole(ctx.reach);
    requireSafeUrl(request, input.url);
    const { url, types = null, projectId = null, description = null, batch } = input;
    const [projects] = await db.batch([countVisibleProjects(caller, projectId ?? 0)]);
    if (projectId !== null) requireVisibleProject(projects, projectId);
    const secret = createWebhookSecret();
    const sealed = await sealSecret(request.config, caller.workspaceId, secret);
    const draft = { url, types, projectId, description, batch };
    // A webhook outlives the session that creates it, so the session must be newer than the last password change.
    const [created] = await createWithFreshSignIn(
      ctx,
      () =>
        db.writeThenRead(
          [
            ...insertWebhook(caller, draft, sealed, now),
            recordAuditEntry(ctx, { type: 'webhook.created', subject: { id: newestWebhookId, name: url } }),
          ],
          [findNewestWebhook(caller)],
        ),
      ([{ id }]) => [
        recordAuditEntry(ctx, { type: 'webhook.deleted', subject: { id, name: url } }),
        ...removeWebhook(caller, id),
      ],
    );
    wakeSender(request, caller);
    return { ...toWebhook(created, now), secret };
  },
);

export const updateWebhook = defineOperation(
  {
    name: 'updateWebhook',
    summary: 'Update, pause or resume a webhook',
    description:
      "A resumed webhook continues after the last event that was sent. Owners and admins can pause other people's webhooks.",
    access: webhookScopes,
    capability: 'manageWebhooks',
    effect: 'write',
    input: updateWebhookInput,
    output: webhook,
    replay: { rebuild: async (ctx, { id }) => toWebhook(await requireWebhook(ctx, id), ctx.now) },
    audits: ['webhook.updated'],
  },
  async (ctx, { id, status, ...changes }) => {
    const { db, caller, now, request } = ctx;
    const before = await requireWebhook(ctx, id);
    if (Object.keys(changes).length > 0 || status === 'active') requireCreator(caller, before);
    const { url, types, description, batch, project } = toWebhook(before, now);
    const current = { url, types, description, batch, projectId: project?.id ?? null };
    requireCurrentSnapshot(ctx.snapshot, changes, current, 'own');
    if (changes.url !== undefined) requireSafeUrl(request, changes.url);
    if (changes.projectId) {
      const [projects] = await db.batch([countVisibleProjects(caller, changes.projectId)]);
      requireVisibleProject(projects, changes.projectId);
    }
    if (Object.keys(changes).length === 0 && status === undefined) return toWebhook(before, now);
    if (status !== 'paused' || Object.keys(changes).length > 0) await requireFreshSignIn(ctx);
    const [, , changed] = await db.batch([
      assertWebhook(caller, before),
      rewriteWebhook(caller, id, changes, status, now),
      findWebhook(caller, ctx.reach, id),
      recordAuditEntry(ctx, {
        type: 'webhook.updated',
        subject: { id, name: changes.url ?? before.url },
        details: {
          fields: Object.keys({ ...changes, ...(status && { status }) }).join(', '),
          ...(status && { status }),
        },
      }),
    ]);
    if (!changed) throw webhookNotFoundError(id);
    wakeSender(request, caller);
    return toWebhook(changed, now);
  },
);

export const deleteWebhook = defineOperation(
  {
    name: 'deleteWebhook',
    summary: 'Delete a webhook and its delivery log',
    description: 'You can delete your own webhooks. Owners and admins can delete any webhook.',
    access: 'webhooks:write',
    capability: 'manageWebhooks',
    effect: 'write',
    input: webhookKeyInput,
    output: successOutput,
    replay: successReplay,
    audits: ['webhook.deleted'],
  },
  async (ctx, { id }) => {
    const { url } = await requireWebhook(ctx, id);
    await ctx.db.batch([
      recordAuditEntry(ctx, { type: 'webhook.deleted', subject: { id, name: url } }),
      ...removeWebhook(ctx.caller, id),
    ]);
    return { success: true as const };
  },
);

export async function requireWebhook({ db, caller, reach }: Context, id: number): Promise<WebhookRow> {
  const [found] = await db.batch([findWebhook(caller, reach, id)]);
  if (!found) throw webhookNotFoundError(id);
  return found;
}

function requireVisibleProject(count: number, id: number) {
  if (count === 0) throw projectNotFoundError(id, 'projectId');
}
