import { formatCount } from '../../../kernel/text/number-format.ts';
import { type CustomFieldType, customFieldTypes, optionColors } from '../../../schema/cell/custom-fields.ts';
import { FIELDS_MAX } from '../../../tasks/custom-fields/custom-fields.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { customFieldsParams, customFieldsReads } from './custom-fields.tsx';

type Props = ViewProps<typeof customFieldsParams, typeof customFieldsReads, Record<never, never>>;
type FieldSettings = Props['answers']['settings'];
type CustomField = FieldSettings['fields'][number];

const fieldTypeLabels: Readonly<Record<CustomFieldType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  select: 'Select',
  multi_select: 'Multi-select',
  person: 'Person',
  url: 'URL',
  checkbox: 'Checkbox',
};

const colorLabels: Readonly<Record<(typeof optionColors)[number], string>> = {
  gray: 'Gray',
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  teal: 'Teal',
  blue: 'Blue',
  violet: 'Violet',
};

export function CustomFieldsView({ params, answers: { settings, projects } }: Props) {
  const { fields, deleted, mayChange } = settings;
  return (
    <div class="settings">
      <header class="head">
        <h1>Custom fields</h1>
      </header>
      <SettingsNavigation />
      <p class="hint">Add your own fields to a project's tasks. Turn them on in the project's settings.</p>
      {fields.length === 0 ? (
        <p>No custom fields yet.</p>
      ) : (
        <ul class="rows panel fields">
          {fields.map((field) => (
            <CustomFieldRow field={field} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {mayChange && fields.length < FIELDS_MAX ? (
        <NewCustomFieldSection projects={projects} project={params.project} />
      ) : null}
      {deleted.length > 0 ? <DeletedFieldsSection deleted={deleted} /> : null}
    </div>
  );
}

function CustomFieldRow({ field, mayChange }: { field: CustomField; mayChange: boolean }) {
  const { base, rejected } = useVisit();
  const { name, type, number, options, projects } = field;
  const action = `${base}/fields/${number}`;
  return (
    <li>
      <span class="row-name">
        <bdi>{name}</bdi>
      </span>
      <span class="row-meta">{fieldTypeLabels[type]}</span>
      <span class="row-meta">
        {projects === 0 ? 'Not used in any project' : `Used in ${formatCount(projects, 'project')}`}
      </span>
      {mayChange ? (
        <details class="edit entry-edit" open={rejected?.action === action}>
          <summary aria-label={`Edit ${name}`}>Edit</summary>
          <EditCustomFieldForm field={field} action={action} />
          <Form action={`${action}/remove`}>
            <button type="submit" class="quiet" aria-label={`Delete field ${name}`}>
              Delete field
            </button>
          </Form>
        </details>
      ) : (
        options.map((option) => <span class="tag">{option.name}</span>)
      )}
    </li>
  );
}

function EditCustomFieldForm({ field, action }: { field: CustomField; action: string }) {
  const { id, name, options, type } = field;
  const hasOptions = type === 'select' || type === 'multi_select';
  return (
    <Form action={action} label={name} snapshot={{ name, ...(hasOptions && { options }) }}>
      <Field id={`${id}-name`} name="name" label="Name" value={name} maxlength={60} autocomplete="off" />
      {hasOptions ? (
        <fieldset class="field">
          <legend>Options</legend>
          {options.map((option, index) => (
            <OptionFields id={`${id}-${option.id}`} option={option} place={index + 1} />
          ))}
          {options.length > 0 ? <p class="hint">To remove an option, clear its name.</p> : null}
          <NewOptionsField id={`${id}-options`} label="New options" hint="One per line." />
        </fieldset>
      ) : null}
      <button type="submit">Save</button>
    </Form>
  );
}

function OptionFields({
  id,
  option,
  place,
}: {
  id: string;
  option: CustomField['options'][number];
  place: number;
}) {
  return (
    <div class="inline">
      <input type="hidden" name="optionId" value={String(option.id)} />
      <input
        id={id}
        name="optionName"
        value={option.name}
        maxlength={60}
        autocomplete="off"
        aria-label={`Option ${place}`}
      />
      <select name="optionColor" aria-label={`Color of option ${place}`}>
        {optionColors.map((color) => (
          <option value={color} selected={color === option.color}>
            {colorLabels[color]}
          </option>
        ))}
      </select>
    </div>
  );
}

function NewOptionsField({ id, label, hint }: { id: string; label: string; hint: string }) {
  return (
    <TextArea id={id} name="newOptions" label={label} rows={2} maxlength={3_000} hint={hint} isOptional />
  );
}

interface NewCustomFieldSectionProps {
  projects: Props['answers']['projects'];
  project: number | undefined;
}

function NewCustomFieldSection({ projects, project }: NewCustomFieldSectionProps) {
  const { base } = useVisit();
  return (
    <section class="group" aria-labelledby="new-field">
      <h2 id="new-field">New field</h2>
      <Form action={`${base}/fields`} class="panel padded" label="New field">
        <Field id="new-name" name="name" label="Name" maxlength={60} autocomplete="off" />
        <Select
          id="new-type"
          name="type"
          label="Type"
          options={customFieldTypes.map((type) => [type, fieldTypeLabels[type]])}
        />
        <NewOptionsField
          id="new-options"
          label="Options"
          hint="One per line, for select and multi-select fields."
        />
        <ProjectSelect
          name="projectId"
          label="Project"
          value={String(project ?? '')}
          first={[['', 'None']]}
          projects={projects}
        />
        <button type="submit">
          <Icon name="plus" />
          Create field
        </button>
      </Form>
    </section>
  );
}

function DeletedFieldsSection({ deleted }: { deleted: FieldSettings['deleted'] }) {
  const { base } = useVisit();
  return (
    <section class="group" aria-labelledby="deleted-fields">
      <h2 id="deleted-fields">Deleted fields</h2>
      <p class="hint">Deleted fields and their values are kept for 30 days.</p>
      <ul class="rows panel">
        {deleted.map(({ number, name, deletedAt }) => (
          <li>
            <span class="row-name">
              <bdi>{name}</bdi>
            </span>
            <span class="row-meta">
              <RelativeTime at={deletedAt} />
            </span>
            <Form action={`${base}/fields/${number}/restore`}>
              <button type="submit" class="quiet" aria-label={`Restore ${name}`}>
                Restore
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
