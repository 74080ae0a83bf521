import type * as z from 'zod';
import {
  type intakeFormSettings,
  SUBMISSIONS_PER_DAY_MAX,
} from '../../../sharing/intake/intake-forms.schema.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { RelativeTime } from '../../components/time.tsx';

type IntakeForm = NonNullable<z.output<typeof intakeFormSettings>['form']>;

interface IntakeFormSectionProps {
  form: IntakeForm | null;
  members: readonly { readonly id: string; readonly name: string }[];
  problem: string | null;
  action: string;
}

const newForm = { greeting: null, tag: 'Intake', assigneeId: null };

export function IntakeFormSection({ form, members, problem, action }: IntakeFormSectionProps) {
  return (
    <section class="group" aria-labelledby="intake">
      <h2 id="intake">Intake form</h2>
      <p class="hint">
        A public form for requests. Each request becomes a task in this project. Up to{' '}
        {SUBMISSIONS_PER_DAY_MAX} requests per day.
      </p>
      {form === null ? (
        problem === null ? (
          <Form action={action} class="panel padded" label="New intake form">
            <SettingsFields form={newForm} members={members} />
            <button type="submit">Turn on intake form</button>
          </Form>
        ) : null
      ) : (
        <ActiveForm form={form} members={members} action={action} />
      )}
    </section>
  );
}

function ActiveForm({
  form,
  members,
  action,
}: Pick<IntakeFormSectionProps, 'members' | 'action'> & { form: IntakeForm }) {
  const { address, createdBy, createdAt, lastUsedAt, greeting, tag, assigneeId } = form;
  return (
    <div class="panel padded">
      {address === null ? (
        <p>This form works, but its address can't be shown again. Turn it off and on to get a new one.</p>
      ) : (
        <p class="inline grow">
          <input id="intake-address" type="text" readonly value={address} aria-label="Form address" />
          <button type="button" class="plain" data-copy="#intake-address" hidden>
            Copy
          </button>
          <a class="button plain" href={address} data-no-prefetch>
            Open
          </a>
        </p>
      )}
      <p class="hint">
        Turned on by <bdi>{createdBy.name}</bdi>, <RelativeTime at={createdAt} />
        {' · '}
        {lastUsedAt === null ? (
          'No requests yet'
        ) : (
          <>
            Last request <RelativeTime at={lastUsedAt} />
          </>
        )}
      </p>
      <Form action={`${action}/settings`} label="Intake form" snapshot={{ greeting, tag, assigneeId }}>
        <SettingsFields form={form} members={members} />
        <button type="submit">Save</button>
      </Form>
      <Confirmation label="Turn off…" action={`${action}/end`} confirm="Turn off intake form">
        <p>The form's address will stop working immediately. Its tasks are kept.</p>
      </Confirmation>
    </div>
  );
}

function SettingsFields({
  form: { greeting, tag, assigneeId },
  members,
}: Pick<IntakeFormSectionProps, 'members'> & {
  form: Pick<IntakeForm, 'greeting' | 'tag' | 'assigneeId'>;
}) {
  const { caller } = useVisit();
  const isKnown = assigneeId === null || members.some(({ id }) => id === assigneeId);
  return (
    <>
      <TextArea
        name="greeting"
        label="Greeting"
        value={greeting ?? ''}
        maxlength={2_000}
        isOptional
        hint="Optional. Shown above the form. For example, say what to include and when to expect a reply."
      />
      <Field
        name="tag"
        label="Tag"
        value={tag ?? ''}
        maxlength={50}
        autocomplete="off"
        isOptional
        hint="Optional. Added to each task."
      />
      <Select
        name="assigneeId"
        label="Assignee"
        value={assigneeId ?? ''}
        options={[
          ['', 'Unassigned'],
          ...(isKnown ? [] : [[assigneeId, 'Former project member'] as const]),
          ...members.map(({ id, name }) => [id, id === caller.userId ? `${name} (you)` : name] as const),
        ]}
        hint="The assignee is notified of each request. The project lead follows the tasks."
      />
    </>
  );
}
