import * as z from 'zod';
import { type NotificationType, notificationTypes } from '../inbox/notifications.schema.ts';

/** `at_once` collects notifications for a few minutes, and `daily` until the next morning. */
export const mailModes = ['off', 'at_once', 'daily'] as const;
export type MailMode = (typeof mailModes)[number];
export type MailModes = Readonly<Record<NotificationType, MailMode>>;

export const defaultModes: MailModes = {
  task_assigned: 'at_once',
  task_status_changed: 'off',
  comment_added: 'at_once',
  mentioned: 'at_once',
  meeting_updated: 'at_once',
  meeting_cancelled: 'at_once',
  unblocked: 'at_once',
  reminder: 'at_once',
  changes_proposed: 'off',
};

export const allMailModesOff = Object.fromEntries(
  notificationTypes.map((type) => [type, 'off']),
) as MailModes;

const mode = z.enum(mailModes);
export const modesInput = z.strictObject(
  Object.fromEntries(notificationTypes.map((type) => [type, mode])) as Record<NotificationType, typeof mode>,
);

/** Uses the default mode for types that were added after the preferences were stored. */
export function parseModes(stored: string | null): MailModes {
  return { ...defaultModes, ...(stored === null ? {} : (JSON.parse(stored) as Partial<MailModes>)) };
}

export function listTypesWithMode(modes: MailModes, mode: MailMode): NotificationType[] {
  return notificationTypes.filter((type) => modes[type] === mode);
}
