import * as z from 'zod';
import { type NotificationType, notificationTypes } from '../inbox/notifications.schema.ts';

/** `at_once` collects notifications for a few minutes, and `daily` until the next morning. */
export const mailModes = ['off', 'at_once', 'daily'] as const;
export type MailMode = (typeof mailModes)[number];
export type Modes = Readonly<Record<NotificationType, MailMode>>;

export const defaultModes: Modes = {
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

export const allModesOff = Object.fromEntries(notificationTypes.map((type) => [type, 'off'])) as Modes;

const mode = z.enum(mailModes);
export const modesInput = z.strictObject(
  Object.fromEntries(notificationTypes.map((type) => [type, mode])) as Record<NotificationType, typeof mode>,
);

/** Types that are newer than the stored preferences have their default mode. */
export function parseModes(stored: string | null): Modes {
  return { ...defaultModes, ...(stored === null ? {} : (JSON.parse(stored) as Partial<Modes>)) };
}

export function listTypesWithMode(modes: Modes, mode: MailMode): NotificationType[] {
  return notificationTypes.filter((type) => modes[type] === mode);
}
