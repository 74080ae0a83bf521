import { type Route, route } from '../../kernel/http/route.ts';
import {
  countUnreadNotifications,
  deleteNotification,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
} from './notifications.ts';

export const notificationRoutes: readonly Route[] = [
  route('GET', '/notifications', listNotifications),
  route('GET', '/notifications/count', countUnreadNotifications),
  route('PUT', '/notifications/read-all', markAllNotificationsRead),
  route('PUT', '/notifications/:id/read', markNotificationRead),
  route('DELETE', '/notifications/:id', deleteNotification),
];
