import type * as z from 'zod';
import type { Browser } from '../../../accounts/browser-sessions/browser-session.ts';
import type { openIntakeForm } from '../../../sharing/intake/intake-forms.schema.ts';
import { Field, TextArea } from '../../components/field.tsx';
import { LinkedText } from '../../components/linked-text.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { RejectedForm } from '../../page-model/page.ts';
import { SiteLayout } from '../../server/layout.tsx';

interface IntakePageProps {
  form: z.output<typeof openIntakeForm>;
  action: string;
  browser: Browser;
  rejected: RejectedForm | null;
  trap: string;
}

export function IntakePage({ form, action, browser, rejected, trap }: IntakePageProps) {
  const { projectName, workspaceName, greeting } = form;
  return (
    <SiteLayout title={`New request · ${projectName}`} width="narrow">
      <h1>New request</h1>
      <p>
        For <bdi>{projectName}</bdi> at <bdi>{workspaceName}</bdi>
      </p>
      {greeting === null ? null : (
        <p class="text">
          <LinkedText text={greeting} />
        </p>
      )}
      <SiteForm action={action} browser={browser} class="card" rejected={rejected}>
        <Field name="name" label="What do you need?" maxlength={500} autocomplete="off" isFocused />
        <TextArea name="description" label="Details" rows={6} maxlength={5_000} isOptional hint="Optional" />
        <Field
          name="senderName"
          label="Your name"
          maxlength={100}
          autocomplete="name"
          isOptional
          hint="Optional"
        />
        <Field
          name="senderEmail"
          label="Your email address"
          type="email"
          maxlength={200}
          autocomplete="email"
          isOptional
          hint="Optional. The team can use it to reply to you."
        />
        <div class="trap" aria-hidden="true">
          <label for={trap}>Leave this empty</label>
          <input id={trap} name={trap} type="text" tabindex={-1} autocomplete="off" />
        </div>
        <button type="submit" class="full">
          Send request
        </button>
      </SiteForm>
    </SiteLayout>
  );
}

export function IntakeSentPage({ projectName, address }: { projectName: string; address: string }) {
  return (
    <SiteLayout title="Request sent" width="narrow">
      <h1>Request sent</h1>
      <p>
        Thank you. The <bdi>{projectName}</bdi> team can now see your request and will decide what happens
        next. If you entered your email address, they can use it to reply. We don't send a confirmation.
      </p>
      <p>
        <a class="button plain" href={address}>
          Send another request
        </a>
      </p>
    </SiteLayout>
  );
}
