import type * as z from 'zod';
import type { projectColumn } from '../../../projects/operations/project-columns.schema.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';

type Column = z.output<typeof projectColumn>;

const visibilityOptions = [
  ['false', 'Shown'],
  ['true', 'Hidden'],
] as const;

export function ProjectColumnsSection({
  columns,
  projectUrl,
}: {
  columns: readonly Column[];
  projectUrl: string;
}) {
  return (
    <section class="group" aria-labelledby="columns">
      <h2 id="columns">Columns</h2>
      <p class="hint">
        Rename columns, and hide the ones you don't use. A hidden column still appears while it has tasks. A
        column over its limit shows a warning.
      </p>
      <ul class="rows panel project-columns">
        {columns.map((column) => (
          <li>
            <ProjectColumnForm column={column} action={`${projectUrl}/columns`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProjectColumnForm({
  column: { status, label, isHidden, limit },
  action,
}: {
  column: Column;
  action: string;
}) {
  const id = `column-${status}`;
  return (
    <Form
      action={action}
      class="inline grow"
      label={label}
      of={{ column: status }}
      snapshot={{ label, isHidden, limit }}
    >
      <Field
        id={`${id}-label`}
        name="label"
        label={`Name of the ${label} column`}
        isLabelHidden
        value={label}
        maxlength={50}
        autocomplete="off"
        isOptional
      />
      <Select
        id={`${id}-visibility`}
        name="isHidden"
        label={`Visibility of the ${label} column`}
        isLabelHidden
        value={String(isHidden)}
        options={visibilityOptions}
      />
      <Field
        id={`${id}-limit`}
        name="limit"
        label={`Task limit for the ${label} column`}
        isLabelHidden
        type="number"
        min={1}
        max={1_000}
        value={limit === null ? '' : String(limit)}
        placeholder="Limit"
        isOptional
      />
      <button type="submit" class="quiet">
        Save
      </button>
    </Form>
  );
}
