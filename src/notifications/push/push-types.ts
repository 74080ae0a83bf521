import { type NotificationType, notificationTypes } from '../inbox/notifications.schema.ts';

/** Only what someone asks of the person, or what has a time. */
const defaultPushTypes: readonly NotificationType[] = [
  'task_assigned',
  'mentioned',
  'meeting_updated',
  'meeting_cancelled',
  'reminder',
];

export function parsePushTypes(stored: string | null): readonly NotificationType[] {
  if (stored === null) return defaultPushTypes;
  const types = JSON.parse(stored) as readonly string[];
  return notificationTypes.filter((type) => types.includes(type));
}
