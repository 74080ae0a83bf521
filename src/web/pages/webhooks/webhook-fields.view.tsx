import type * as z from 'zod';
import { eventTypePatterns } from '../../../events/feed/events.schema.ts';
import type { webhook } from '../../../webhooks/operations/webhooks.schema.ts';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { Field } from '../../components/field.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';

export type Webhook = z.output<typeof webhook>;

interface WebhookFieldsProps {
  projects: Parameters<typeof ProjectSelect>[0]['projects'];
  webhook?: Webhook;
}

export function WebhookFields({ projects, webhook }: WebhookFieldsProps) {
  return (
    <>
      <Field
        name="url"
        label="URL"
        value={webhook?.url}
        maxlength={2048}
        autocomplete="off"
        placeholder="https://hooks.example.com/edgework"
        hint="A public https:// URL"
      />
      <Field
        name="description"
        label="Description"
        value={webhook?.description ?? ''}
        maxlength={200}
        autocomplete="off"
        isOptional
      />
      <ProjectSelect
        name="projectId"
        label="Project"
        value={String(webhook?.project?.id ?? '')}
        first={[['', 'All projects']]}
        projects={projects}
        current={webhook?.project}
      />
      <input type="hidden" name="types" value="" />
      <details class="edit" open={Boolean(webhook?.types)}>
        <summary>Choose events</summary>
        <ChoiceGroup
          name="types"
          legend="Events"
          type="checkbox"
          class="columns"
          value={webhook?.types ?? []}
          hint="Select none to receive all events."
          options={eventTypePatterns.map((type) => [type, type])}
        />
      </details>
      <input type="hidden" name="batch" value="false" />
      <ChoiceGroup
        name="batch"
        legend="Batching"
        type="checkbox"
        value={webhook?.batch ? ['true'] : []}
        options={[['true', 'Send up to 100 events per request']]}
      />
    </>
  );
}

export function NewSecretNotice({ secret }: { secret: string | null }) {
  if (secret === null) return null;
  return (
    <section class="card new-secret" aria-labelledby="new-secret">
      <h2 id="new-secret">Signing secret</h2>
      <p>
        <label for="key">
          Copy it now. You won't see it again. Your receiver uses it to verify signatures.
        </label>
      </p>
      <textarea id="key" class="secret" rows={2} readonly spellcheck={false} autofocus>
        {secret}
      </textarea>
      <button type="button" data-copy="#key" hidden>
        Copy
      </button>
    </section>
  );
}
