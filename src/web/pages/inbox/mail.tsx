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
  title: () => 'Mail',
  params,
  reads,
  inputs: () => ({ mail: {} }),
  view: MailView,
});

export const chooseMail = form({
  name: 'chooseMail',
  path: '/inbox/mail',
  operation: setMailPreferences,
  flash: () => ({ text: 'Choice of mail saved' }),
});

const labels: Readonly<Record<NotificationType, string>> = {
  task_assigned: 'I am given a task',
  mentioned: 'Somebody mentions me',
  comment_added: 'Comments on tasks I follow',
  task_status_changed: 'Tasks I follow move',
  meeting_updated: 'A meeting of mine changes',
  meeting_cancelled: 'A meeting of mine is cancelled',
};
const modeLabels: Readonly<Record<MailMode, string>> = {
  off: 'No mail',
  at_once: 'Within minutes',
  daily: 'Once a day',
};

function MailView({
  visit: { base },
  answers,
}: ViewProps<typeof params, typeof reads, Record<never, never>>) {
  const { modes } = answers.mail;
  return (
    <div class="column-page">
      <header class="head">
        <h1>Mail</h1>
        <InboxTabs here="mail" />
      </header>
      <p class="hint">
        Everything is in your inbox. What you have not read there can come by mail as well: collected for five
        minutes, or once a day at seven. This holds for all your workspaces.
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
