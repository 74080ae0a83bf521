import * as z from 'zod';
import {
  type NotificationType,
  notificationTypes,
} from '../../../notifications/inbox/notifications.schema.ts';
import { type MailMode, mailModes } from '../../../notifications/mail/mail-modes.ts';
import { getMailPreferences, setMailPreferences } from '../../../notifications/mail/preferences.ts';
import { Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { defineForm, definePage, type ViewProps } from '../../page-model/page.ts';
import { InboxTabs } from './inbox.view.tsx';

const mailParams = z.object({});
const mailReads = { mail: getMailPreferences };

export const mailPreferencesPage = definePage({
  name: 'mailPreferences',
  path: '/inbox/mail',
  title: () => 'Email preferences',
  params: mailParams,
  reads: mailReads,
  inputs: () => ({ mail: {} }),
  view: MailPreferencesView,
});

export const saveMailPreferencesForm = defineForm({
  name: 'chooseMail',
  path: '/inbox/mail',
  operation: setMailPreferences,
  flash: () => ({ text: 'Preferences saved' }),
});

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

function MailPreferencesView({
  visit: { base },
  answers,
}: ViewProps<typeof mailParams, typeof mailReads, Record<never, never>>) {
  const { modes } = answers.mail;
  return (
    <div class="column-page">
      <header class="head">
        <h1>Email preferences</h1>
        <InboxTabs here="mail" />
      </header>
      <p class="hint">
        Every notification appears in your inbox. You can also get unread notifications by email, in batches
        every five minutes or daily at 7:00. These settings apply to all your workspaces.
      </p>
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
