import type * as z from 'zod';
import { scopes } from '../../../kernel/access/access.ts';
import { toTimestamp } from '../../../kernel/operation/schema.ts';
import type { createdApiKey } from '../../../oauth/connected-apps/connected-apps.schema.ts';
import { scopeWords } from '../../../oauth/protocol/scopes.ts';
import { Choices } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { AppsPageProps } from './connected-apps.view.tsx';

type Props = Pick<AppsPageProps, 'browser' | 'workspace' | 'refused' | 'now'>;

export function NewKeyForm({ browser, workspace, refused, now }: Props) {
  return (
    <SiteForm
      action="/connected-apps"
      browser={browser}
      class="card"
      refused={refused}
      of={{ workspace: workspace.id }}
    >
      <Field name="name" label="What will use it?" autocomplete="off" maxlength={100} />
      <Choices
        name="may"
        legend="What may it do?"
        type="radio"
        value={['all']}
        options={[
          ['all', 'Everything that you may do here'],
          ['read', 'Only read'],
          ['some', 'Only what is ticked'],
        ]}
      />
      <Choices
        name="scopes"
        legend="It may"
        type="checkbox"
        class="chosen-scopes"
        options={scopes.map((scope) => [
          scope,
          <>
            {scopeWords[scope]} <code>{scope}</code>
          </>,
        ])}
      />
      <Field
        name="expiresOn"
        label="Last day"
        type="date"
        min={toTimestamp(now).slice(0, 10)}
        isOptional
        hint="Until the end of that day (UTC). Without one, the key lasts until you revoke it."
      />
      <button type="submit">Create key</button>
    </SiteForm>
  );
}

export function NewKey({ created }: { created: z.infer<typeof createdApiKey> }) {
  return (
    <section class="card fresh" aria-labelledby="fresh">
      <h2 id="fresh">
        Your key for <bdi>{created.name}</bdi>
      </h2>
      <p>
        <label for="key">Copy it now: it is shown this once.</label>
      </p>
      <textarea id="key" class="secret" rows={2} readonly spellcheck={false} autofocus>
        {created.key}
      </textarea>
      <button type="button" data-copy="#key" hidden>
        Copy
      </button>
      <output id="said" class="off-screen" aria-live="polite" />
    </section>
  );
}
