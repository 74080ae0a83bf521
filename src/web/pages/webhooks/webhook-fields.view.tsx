import type * as z from 'zod';
import { typesAndKinds } from '../../../events/feed/events.schema.ts';
import type { webhook } from '../../../webhooks/operations/webhooks.schema.ts';
import { Choices } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';

export type Webhook = z.output<typeof webhook>;

interface FieldsProps {
  projects: Parameters<typeof ProjectSelect>[0]['projects'];
  /** What is changed; absent for a new one. */
  webhook?: Webhook;
}

/** What a webhook says, for making one and for changing one. */
export function WebhookFields({ projects, webhook }: FieldsProps) {
  return (
    <>
      <Field
        name="url"
        label="Address"
        value={webhook?.url}
        maxlength={2048}
        autocomplete="off"
        placeholder="https://hooks.example.com/edgework"
        hint="A public host, by https."
      />
      <Field
        name="description"
        label="What is it for?"
        value={webhook?.description ?? ''}
        maxlength={200}
        autocomplete="off"
        isOptional
      />
      <ProjectSelect
        name="projectId"
        label="Of which project"
        value={String(webhook?.project?.id ?? '')}
        first={[['', 'Every project']]}
        projects={projects}
        current={webhook?.project}
      />
      <input type="hidden" name="types" value="" />
      <details class="edit" open={Boolean(webhook?.types)}>
        <summary>Only some events</summary>
        <Choices
          name="types"
          legend="Events"
          type="checkbox"
          class="columns"
          value={webhook?.types ?? []}
          hint="Without a tick it gets all of them."
          options={typesAndKinds.map((type) => [type, type])}
        />
      </details>
      <input type="hidden" name="batch" value="false" />
      <Choices
        name="batch"
        legend="How it gets them"
        type="checkbox"
        value={webhook?.batch ? ['true'] : []}
        options={[['true', 'Up to 100 events in one request']]}
      />
    </>
  );
}

/** The secret of a webhook that was just made. */
export function ShownSecret({ secret }: { secret: string | null }) {
  if (secret === null) return null;
  return (
    <section class="card new-secret" aria-labelledby="new-secret">
      <h2 id="new-secret">Its secret</h2>
      <p>
        <label for="key">Copy it now: it is shown this once. The receiver checks signatures with it.</label>
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
