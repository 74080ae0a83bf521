import * as z from 'zod';
import { examplePerson, exampleUserId } from '../../kernel/operation/examples.ts';
import { buildNameListSchema, integerId, timestamp } from '../../kernel/operation/schema.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';
import {
  commentText,
  imageUrl,
  personId,
  personName,
  projectName,
  taskName,
  workspaceId,
  workspaceName,
} from '../../tasks/summaries/summaries.schema.ts';

export const notificationTypes = [
  'task_assigned',
  'task_status_changed',
  'comment_added',
  'mentioned',
  'meeting_updated',
  'meeting_cancelled',
  'unblocked',
  'reminder',
  'changes_proposed',
] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** Lists and counts contain these types only if `kinds` names them. `OPT_IN_CONDITION` selects their rows. */
export const optInTypes: readonly NotificationType[] = ['unblocked', 'reminder', 'changes_proposed'];

export const notificationKinds = buildNameListSchema([...notificationTypes, 'all'])
  .optional()
  .meta({
    description: `Only notifications of these types, or of every type with \`all\`. Defaults to every type except ${optInTypes.join(', ')}.`,
    example: ['all'],
  });
export type NotificationKinds = z.output<typeof notificationKinds>;

export const notification = z
  .object({
    id: integerId,
    type: z.enum(notificationTypes),
    isRead: z.boolean(),
    readAt: timestamp.nullable().meta({ description: 'When the notification was first marked as read.' }),
    createdAt: timestamp,
    task: z.object({ id: integerId, name: taskName, status: z.enum(taskStatuses) }).nullable(),
    comment: z.object({ id: integerId, content: commentText }).nullable(),
    project: z.object({ id: integerId, name: projectName }).nullable(),
    actor: z
      .object({ id: personId, name: personName, image: imageUrl.nullable() })
      .nullable()
      .meta({ description: 'The person whose action triggered the notification.' }),
    workspace: z
      .object({ id: workspaceId, name: workspaceName })
      .meta({ description: "The notification's workspace. Notifications span all your workspaces." }),
  })
  .meta({
    id: 'Notification',
    example: {
      id: 69632,
      type: 'comment_added',
      isRead: false,
      readAt: null,
      createdAt: '2026-03-02T09:30:00.000Z',
      task: { id: 1042, name: 'Draft the launch page', status: 'in_progress' },
      comment: { id: 88, content: 'Ready for a first look.' },
      project: { id: 7, name: 'Spring launch' },
      actor: { id: exampleUserId, name: examplePerson.name, image: null },
      workspace: { id: 'ws_9kLw3x', name: 'Northwind Studio' },
    },
  });

export const notificationKeyInput = z.strictObject({ id: integerId.meta({ example: 4096 }) });

export const unreadCount = z
  .object({ count: z.int().meta({ description: 'The number of unread notifications.' }) })
  .meta({ id: 'UnreadCount', example: { count: 3 } });

export const readAllResult = z
  .object({ updated: z.int().meta({ description: 'The number of notifications marked as read.' }) })
  .meta({ id: 'ReadAllResult', example: { updated: 3 } });
