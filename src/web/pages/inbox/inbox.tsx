import * as z from 'zod';
import {
  deleteNotification,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  restoreNotification as restore,
} from '../../../notifications/inbox/notifications.ts';
import { form, page } from '../../page-model/page.ts';
import { toUndoneMessage } from '../task-list/undo.ts';
import { InboxView } from './inbox.view.tsx';

const SHOWN = 50;

export const inboxParams = z.object({
  show: z.enum(['unread']).optional(),
  offset: z.int().min(0).default(0),
});
export const inboxReads = { notifications: listNotifications };

export const inboxPage = page({
  name: 'inbox',
  path: '/inbox',
  title: () => 'Inbox',
  params: inboxParams,
  reads: inboxReads,
  inputs: ({ show, offset }) => ({
    notifications: { limit: SHOWN, offset, unreadOnly: show === 'unread' },
  }),
  texts: ({ notifications }) => notifications.data.flatMap(({ comment }) => comment?.content ?? []),
  view: InboxView,
  script: 'inbox',
});

export const openNotification = form({
  name: 'openNotification',
  path: '/inbox/:id/open',
  operation: markNotificationRead,
  redirectTo: ({ task, workspace }, { back }) => (task ? `/app/${workspace.id}/tasks/${task.id}` : back),
});
export const readNotification = form({
  name: 'readNotification',
  path: '/inbox/:id/read',
  operation: markNotificationRead,
});
export const readAll = form({ name: 'readAll', path: '/inbox/read', operation: markAllNotificationsRead });
export const removeNotification = form({
  name: 'removeNotification',
  path: '/inbox/:id/remove',
  operation: deleteNotification,
  removal: 'undone',
  flash: ({ input: { id } }) => ({
    text: 'Notification removed',
    undo: { path: `/inbox/${id}/restore`, fields: {} },
  }),
});
export const restoreNotification = form({
  name: 'restoreNotification',
  path: '/inbox/:id/restore',
  operation: restore,
  flash: toUndoneMessage,
});
