import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import {
  defineTool,
  idempotentHints,
  pickFields,
  readOnlyHints,
  summaryOutput,
} from '../../kernel/tools/tool.ts';
import { buildToolPageSchema, toolPageInput, trimPage } from '../../kernel/tools/tool-page.ts';
import type { notification } from './notifications.schema.ts';
import { listNotifications, markAllNotificationsRead, markNotificationRead } from './notifications.ts';

const notificationRow = z.strictObject({
  id: z.int(),
  type: z.string(),
  isRead: z.boolean(),
  createdAt: z.string(),
  task: summaryOutput.nullable(),
  comment: summaryOutput.nullable(),
  project: summaryOutput.nullable(),
  actor: summaryOutput.nullable(),
  workspace: summaryOutput,
});
type NotificationToolRow = z.output<typeof notificationRow>;

function toNotificationRow({
  readAt: _,
  actor,
  ...each
}: z.output<typeof notification>): NotificationToolRow {
  return { ...each, actor: actor && pickFields(actor, 'id', 'name') };
}

function toNotificationLine(each: NotificationToolRow): string {
  return buildToolLine(
    each.id,
    each.isRead ? 'read' : 'unread',
    each.createdAt,
    each.type,
    each.actor && `by ${each.actor.name}`,
    each.task && `task #${each.task.id} ${each.task.name}`,
    each.comment && `"${each.comment.content}"`,
    String(each.workspace.name),
  );
}

export const listNotificationsTool = defineTool(
  {
    name: 'list_notifications',
    title: 'List notifications',
    description: 'List notifications from all your workspaces, newest first.',
    access: 'notifications:read',
    hints: readOnlyHints,
    input: z.strictObject({ unreadOnly: z.boolean().default(false), ...toolPageInput }),
    output: buildToolPageSchema(notificationRow),
    covers: { listNotifications: '' },
    lines: ({ data }) => data.map(toNotificationLine),
  },
  async (ctx, input) =>
    trimPage(await ctx.list(listNotifications, { ...input, kinds: ['all'] }), toNotificationRow),
);

export const markNotificationsRead = defineTool(
  {
    name: 'mark_notifications_read',
    title: 'Mark notifications read',
    description: "Send a notification's `id`, or `all: true`.",
    access: 'notifications:write',
    hints: idempotentHints,
    input: z.strictObject({ id: integerId.optional(), all: z.literal(true).optional() }),
    output: z.strictObject({ updated: z.int().optional(), notification: notificationRow.optional() }),
    lines: ({ updated, notification }) =>
      notification ? [toNotificationLine(notification)] : [`Marked ${updated} as read.`],
  },
  async (ctx, { id, all }) => {
    if ((id === undefined) === (all === undefined)) throw invalidRequestError('Send either id or all: true.');
    if (id === undefined) return ctx.run(markAllNotificationsRead, { kinds: ['all'] });
    return { notification: toNotificationRow(await ctx.run(markNotificationRead, { id })) };
  },
);
