import type { NotificationType } from './notifications.schema.ts';

export function describeNotification(type: NotificationType): string {
  return phrases[type];
}

const phrases: Readonly<Record<NotificationType, string>> = {
  task_assigned: 'assigned you to',
  task_status_changed: 'changed the status of',
  comment_added: 'commented on',
  mentioned: 'mentioned you in',
  meeting_updated: 'changed the meeting',
  meeting_cancelled: 'canceled the meeting',
  unblocked: 'unblocked',
  reminder: 'reminds you of',
  changes_proposed: 'asks you to review changes proposed by an app',
};
