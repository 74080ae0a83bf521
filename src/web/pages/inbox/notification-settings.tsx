import * as z from 'zod';
import {
  type NotificationType,
  notificationTypes,
} from '../../../notifications/inbox/notifications.schema.ts';
import { type MailMode, mailModes } from '../../../notifications/mail/mail-modes.ts';
import { setMailPreferences } from '../../../notifications/mail/preferences.ts';
import {
  setPushTypes,
  subscribeToPush,
  testPush,
  unsubscribeFromPush,
} from '../../../notifications/push/push-settings.ts';
import { getNotificationSettings } from '../../../notifications/settings/notification-settings.ts';
import { Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { defineForm, definePage, type ViewProps } from '../../page-model/page.ts';
import { InboxTabs } from './inbox.view.tsx';
import { PushSection } from './push-settings.view.tsx';

const settingsParams = z.object({});
const settingsReads = { settings: getNotificationSettings };

export const notificationSettingsPage = definePage({
  name: 'notificationSettings',
  path: '/inbox/mail',
  title: () => 'Notification settings',
  params: settingsParams,
  reads: settingsReads,
  inputs: () => ({ settings: {} }),
  view: NotificationSettingsView,
  script: 'push',
});

export const saveMailPreferencesForm = defineForm({
  name: 'chooseMail',
  path: '/inbox/mail',
  operation: setMailPreferences,
  flash: () => ({ text: 'Preferences saved' }),
});

export const pushForms = [
  defineForm({
    name: 'turnOnPush',
    path: '/inbox/push',
    operation: subscribeToPush,
    flash: () => ({ text: 'Push notifications are on in this browser' }),
  }),
  defineForm({
    name: 'turnOffPush',
    path: '/inbox/push/off',
    operation: unsubscribeFromPush,
    flash: () => ({ text: 'Push notifications are off in this browser' }),
  }),
  defineForm({
    name: 'testPush',
    path: '/inbox/push/test',
    operation: testPush,
    flash: () => ({ text: 'Test notification sent' }),
  }),
  defineForm({
    name: 'choosePush',
    path: '/inbox/push/types',
    operation: setPushTypes,
    flash: () => ({ text: 'Preferences saved' }),
  }),
];

const notificationLabels: Readonly<Record<NotificationType, string>> = {
  task_assigned: 'Tasks assigned to me',
  mentioned: 'Mentions of me',
  comment_added: 'Comments on tasks I follow',
  task_status_changed: 'Status changes on tasks I follow',
  meeting_updated: 'Changes to my meetings',
  meeting_cancelled: 'Canceled meetings',
  unblocked: 'My tasks that are no longer blocked',
  reminder: 'My reminders',
  changes_proposed: 'Changes that apps propose to me',
};
const modeLabels: Readonly<Record<MailMode, string>> = {
  off: 'Off',
  at_once: 'Within 5 minutes',
  daily: 'Daily',
};

function NotificationSettingsView({
  visit: { base },
  answers: {
    settings: { mailModes: modes, push },
  },
}: ViewProps<typeof settingsParams, typeof settingsReads, Record<never, never>>) {
  return (
    <div class="column-page">
      <header class="head">
        <h1>Notification settings</h1>
        <InboxTabs here="settings" />
      </header>
      <p class="hint">
        Every notification appears in your inbox. These settings apply to all your workspaces.
      </p>
      <PushSection settings={push} labels={notificationLabels} />
      <h2>Email</h2>
      <p class="hint">Get unread notifications by email, in batches every five minutes or daily at 7:00.</p>
      <Form action={`${base}/inbox/mail`} class="panel padded">
        {notificationTypes.map((type) => (
          <Select
            name={type}
            label={notificationLabels[type]}
            value={modes[type]}
            options={mailModes.map((mode) => [mode, modeLabels[mode]])}
          />
        ))}
        <button type="submit">Save</button>
      </Form>
    </div>
  );
}
