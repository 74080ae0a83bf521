import { defineRoute, type Route } from '../../kernel/http/route.ts';
import {
  countUnreadNotifications,
  deleteNotification,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
} from './notifications.ts';

export const notificationRoutes: readonly Route[] = [
  defineRoute('GET', '/notifications', listNotifications),
  defineRoute('GET', '/notifications/count', countUnreadNotifications),
  defineRoute('PUT', '/notifications/read-all', markAllNotificationsRead, { inQuery: ['kinds'] }),
  defineRoute('PUT', '/notifications/:id/read', markNotificationRead),
  defineRoute('DELETE', '/notifications/:id', deleteNotification),
];
