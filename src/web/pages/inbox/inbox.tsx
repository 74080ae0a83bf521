import * as z from 'zod';
import { listMentionedInInbox } from '../../../notifications/inbox/mentioned-in-inbox.ts';
import {
  deleteNotification,
  listInbox,
  markAllNotificationsRead,
  markNotificationRead,
  restoreNotification as restore,
} from '../../../notifications/inbox/notifications.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { buildUndoneMessage } from '../task-list/undo-form.ts';
import { InboxView } from './inbox.view.tsx';

const NOTIFICATIONS_SHOWN_MAX = 50;

export const inboxParams = z.object({
  show: z.enum(['unread']).optional(),
  offset: z.int().min(0).default(0),
});
export const inboxReads = { notifications: listInbox, mentioned: listMentionedInInbox };

export const inboxPage = definePage({
  name: 'inbox',
  path: '/inbox',
  title: () => 'Inbox',
  params: inboxParams,
  reads: inboxReads,
  inputs: ({ show, offset }) => {
    const input = {
      limit: NOTIFICATIONS_SHOWN_MAX,
      offset,
      unreadOnly: show === 'unread',
    };
    return { notifications: input, mentioned: { ...input, kinds: ['all' as const] } };
  },
  mentioned: ({ mentioned }) => mentioned.people,
  view: InboxView,
  script: 'inbox',
  hasTaskPanel: true,
});

export const openNotificationForm = defineForm({
  name: 'openNotification',
  path: '/inbox/:id/open',
  operation: markNotificationRead,
  redirectTo: ({ type, task, workspace }, { back }) => {
    if (type === 'changes_proposed') return `/app/${workspace.id}/changes`;
    return task ? `/app/${workspace.id}/tasks/${task.id}` : back;
  },
});
export const markNotificationReadForm = defineForm({
  name: 'readNotification',
  path: '/inbox/:id/read',
  operation: markNotificationRead,
});
export const markAllReadForm = defineForm({
  name: 'readAll',
  path: '/inbox/read',
  operation: markAllNotificationsRead,
  fixed: { kinds: ['all'] },
});
export const removeNotificationForm = defineForm({
  name: 'removeNotification',
  path: '/inbox/:id/remove',
  operation: deleteNotification,
  removal: 'undone',
  flash: ({ input: { id } }) => ({
    text: 'Notification removed',
    undo: { path: `/inbox/${id}/restore`, fields: {} },
  }),
});
export const restoreNotificationForm = defineForm({
  name: 'restoreNotification',
  path: '/inbox/:id/restore',
  operation: restore,
  flash: buildUndoneMessage,
});
