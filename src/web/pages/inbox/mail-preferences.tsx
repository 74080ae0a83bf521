import * as z from 'zod';
import {
  type NotificationType,
  notificationTypes,
} from '../../../notifications/inbox/notifications.schema.ts';
import { type MailMode, mailModes } from '../../../notifications/mail/modes.ts';
import { getMailPreferences, setMailPreferences } from '../../../notifications/mail/preferences.ts';
import { Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { form, page, type ViewProps } from '../../page-model/page.ts';
import { InboxTabs } from './inbox.view.tsx';

const params = z.object({});
const reads = { mail: getMailPreferences };

export const mailPage = page({
  name: 'mailPreferences',
  path: '/inbox/mail',
  title: () => 'Email preferences',
  params,
  reads,
  inputs: () => ({ mail: {} }),
  view: MailView,
});

export const saveMailPreferences = form({
  name: 'chooseMail',
  path: '/inbox/mail',
  operation: setMailPreferences,
  flash: () => ({ text: 'Preferences saved' }),
});

const labels: Readonly<Record<NotificationType, string>> = {
  task_assigned: 'Tasks assigned to me',
  mentioned: 'Mentions of me',
  comment_added: 'Comments on tasks I follow',
  task_status_changed: 'Status changes to tasks I follow',
  meeting_updated: 'Changes to my meetings',
  meeting_cancelled: 'Cancelled meetings',
};
const modeLabels: Readonly<Record<MailMode, string>> = {
  off: 'Off',
  at_once: 'Within 5 minutes',
  daily: 'Daily',
};

function MailView({
  visit: { base },
  answers,
}: ViewProps<typeof params, typeof reads, Record<never, never>>) {
  const { modes } = answers.mail;
  return (
    <div class="column-page">
      <header class="head">
        <h1>Email preferences</h1>
        <InboxTabs here="mail" />
      </header>
      <p class="hint">
        Every notification appears in your inbox. You can also get unread ones by email: bundled every five
        minutes, or daily at 7:00. These settings apply to all your workspaces.
      </p>
      <Form action={`${base}/inbox/mail`} class="panel padded">
        {notificationTypes.map((type) => (
          <Select
            name={type}
            label={labels[type]}
            value={modes[type]}
            options={mailModes.map((mode) => [mode, modeLabels[mode]])}
          />
        ))}
        <button type="submit">Save</button>
      </Form>
    </div>
  );
}
