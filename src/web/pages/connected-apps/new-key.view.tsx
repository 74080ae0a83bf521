import type * as z from 'zod';
import { scopes } from '../../../kernel/access/access.ts';
import { toTimestamp } from '../../../kernel/operation/schema.ts';
import type { createdApiKey } from '../../../oauth/connected-apps/connected-apps.schema.ts';
import { scopeDescriptions } from '../../../oauth/protocol/scopes.ts';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { Field } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { ConnectedAppsPageProps } from './connected-apps.view.tsx';

type NewKeyFormProps = Pick<ConnectedAppsPageProps, 'browser' | 'workspace' | 'rejected' | 'now'>;

export function NewKeyForm({ browser, workspace, rejected, now }: NewKeyFormProps) {
  return (
    <SiteForm
      action="/connected-apps"
      browser={browser}
      class="card"
      rejected={rejected}
      of={{ workspace: workspace.id }}
    >
      <Field name="name" label="Name" autocomplete="off" maxlength={100} />
      <ChoiceGroup
        name="may"
        legend="Access"
        type="radio"
        value={['all']}
        options={[
          ['all', 'Full access: everything you can do in Edgework'],
          ['read', 'Read-only'],
          ['some', 'Selected scopes'],
        ]}
      />
      <ChoiceGroup
        name="scopes"
        legend="Scopes"
        type="checkbox"
        class="selected-scopes"
        options={scopes.map((scope) => [
          scope,
          <>
            {scopeDescriptions[scope]} <code>{scope}</code>
          </>,
        ])}
      />
      <Field
        name="expiresOn"
        label="Expiration date"
        type="date"
        min={toTimestamp(now).slice(0, 10)}
        isOptional
        hint="The key works until the end of this day (UTC). Leave empty for a key that doesn't expire."
      />
      <button type="submit">Create key</button>
    </SiteForm>
  );
}

export function NewKeyNotice({ created }: { created: z.infer<typeof createdApiKey> }) {
  return (
    <section class="card new-secret" aria-labelledby="new-key">
      <h2 id="new-key">
        Your key for <bdi>{created.name}</bdi>
      </h2>
      <p>
        <label for="key">Copy it now. You won't see it again.</label>
      </p>
      <textarea id="key" class="secret" rows={2} readonly spellcheck={false} autofocus>
        {created.key}
      </textarea>
      <button type="button" data-copy="#key" hidden>
        Copy
      </button>
      <output id="toast" class="off-screen" aria-live="polite" />
    </section>
  );
}
