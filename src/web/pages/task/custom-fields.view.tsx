import type { TaskFieldValue } from '../../../tasks/custom-fields/custom-fields.schema.ts';
import {
  NUMBER_MAX,
  TEXT_CHARACTERS_MAX,
  URL_CHARACTERS_MAX,
} from '../../../tasks/custom-fields/custom-fields.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import type { Task } from './task.view.tsx';

interface CustomFieldPropertyProps {
  task: Task;
  field: TaskFieldValue;
  people: Parameters<typeof PersonSelect>[0]['people'];
}

export function CustomFieldProperty({ task, field, people }: CustomFieldPropertyProps) {
  const { base } = useVisit();
  const { id, name, type, value } = field;
  const action = `${base}/tasks/${task.id}/fields/${id.slice(3)}`;
  if (type === 'multi_select') return <MultiSelectProperty field={field} action={action} />;
  const text = value === null ? null : String(value);
  return (
    <div class="property">
      <dt aria-hidden="true">
        <bdi>{name}</bdi>
      </dt>
      <dd class="entry">
        <Form action={action} auto snapshot={{ value: text }}>
          <CustomFieldInput field={field} people={people} text={text ?? ''} />
          <button type="submit" class="plain auto" aria-label={`Save: ${name}`}>
            Save
          </button>
        </Form>
        {type === 'url' && text ? <CustomFieldText field={field} /> : null}
      </dd>
    </div>
  );
}

function CustomFieldInput({
  field: { id, name, type, options, person },
  people,
  text,
}: Omit<CustomFieldPropertyProps, 'task'> & { text: string }) {
  const shared = { id, name: 'value', label: name, isLabelHidden: true, value: text };
  switch (type) {
    case 'select': {
      const choices = options.map((option) => [String(option.id), option.name] as const);
      return <Select {...shared} options={[['', 'None'], ...choices]} />;
    }
    case 'checkbox':
      return (
        <Select
          {...shared}
          options={[
            ['', 'Not set'],
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
        />
      );
    case 'person':
      return <PersonSelect {...shared} first={[['', 'None']]} people={people} current={person} />;
    case 'date':
      return <Field {...shared} type="date" isOptional />;
    case 'number':
      return (
        <Field
          {...shared}
          type="number"
          step="any"
          min={-NUMBER_MAX}
          max={NUMBER_MAX}
          isOptional
          autocomplete="off"
        />
      );
    default:
      return (
        <Field
          {...shared}
          maxlength={type === 'url' ? URL_CHARACTERS_MAX : TEXT_CHARACTERS_MAX}
          placeholder={type === 'url' ? 'https://' : 'None'}
          isOptional
          autocomplete="off"
        />
      );
  }
}

/** Has a button so that people can select several options before they save. */
function MultiSelectProperty({ field, action }: { field: TaskFieldValue; action: string }) {
  const { rejected } = useVisit();
  const selectedIds = [field.value ?? []].flat();
  return (
    <div class="property">
      <dt>
        <bdi>{field.name}</bdi>
      </dt>
      <dd class="entry">
        <details class="drop-down" open={rejected?.action === action}>
          <summary>{field.text ?? 'None'}</summary>
          <Form action={action} label={field.name} snapshot={{ options: field.value }}>
            {field.options.map((option) => (
              <label>
                <input
                  type="checkbox"
                  name="options"
                  value={String(option.id)}
                  checked={selectedIds.includes(option.id)}
                />{' '}
                <bdi>{option.name}</bdi>
              </label>
            ))}
            <button type="submit" class="plain">
              Save
            </button>
          </Form>
        </details>
      </dd>
    </div>
  );
}

export function CustomFieldText({ field: { type, text } }: { field: TaskFieldValue }) {
  if (type !== 'url' || text === null) return <bdi>{text ?? 'None'}</bdi>;
  return (
    <a href={text} target="_blank" rel="noopener noreferrer nofollow" class="clip" title={text}>
      {text}
    </a>
  );
}
