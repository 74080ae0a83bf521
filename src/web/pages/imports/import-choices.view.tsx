import { columnUses } from '../../../imports/sources/source.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { taskPriorities, taskStatuses } from '../../../tasks/fields.ts';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { priorityLabels } from '../../components/status-and-priority.tsx';
import {
  columnUseLabels,
  describeColumnCounts,
  type Import,
  type ImportReport,
  statusLabels,
} from './describe-import.ts';

type PersonChoices = readonly { readonly id: string; readonly name: string }[];
type ImportedValue = ImportReport['values'][number];

/** Each prefix is followed by a number. `value-1` contains the column and text that `choice-1` applies to. */
export const COLUMN_FIELD_PREFIX = 'column-';
export const CHOICE_FIELD_PREFIX = 'choice-';
export const VALUE_FIELD_PREFIX = 'value-';

export function ImportChoicesForm({
  found,
  report,
  people,
}: {
  found: Import;
  report: ImportReport;
  people: PersonChoices;
}) {
  const { base } = useVisit();
  const { columns, values, moreValues } = report;
  const choices = values.map((value, index) => (
    <ValueSelect value={value} index={index} column={columns[value.column]} people={people} />
  ));
  const unknown = choices.filter((_, index) => values[index]?.means === null);
  const known = choices.filter((_, index) => values[index]?.means !== null);
  return (
    <Form action={`${base}/imports/${found.id}`} class="panel padded import-choices" label="Import settings">
      <fieldset>
        <legend>Columns</legend>
        {columns.map((column, index) => (
          <Select
            name={`${COLUMN_FIELD_PREFIX}${index}`}
            label={column.header}
            value={column.use}
            options={columnUses.map((use) => [use, columnUseLabels[use]])}
            hint={[describeColumnCounts(column), column.examples.join(' · ')]
              .filter((text) => text !== '')
              .join('. ')}
          />
        ))}
      </fieldset>
      {unknown.length > 0 ? (
        <fieldset>
          <legend>Unrecognized values</legend>
          {unknown}
        </fieldset>
      ) : null}
      {known.length > 0 ? (
        <details>
          <summary>{formatCount(known.length, 'recognized value')}</summary>
          {known}
        </details>
      ) : null}
      {moreValues > 0 ? <p class="hint">{formatCount(moreValues, 'more value')} not shown.</p> : null}
      <fieldset>
        <legend>Options</legend>
        <Select
          name="dateOrder"
          label="Date format"
          value={found.dateOrder ?? ''}
          options={[
            ['', 'Detect automatically'],
            ['dmy', 'Day first (31/12)'],
            ['mdy', 'Month first (12/31)'],
          ]}
        />
        <Field
          name="source"
          label="Source"
          value={found.source}
          maxlength={50}
          autocomplete="off"
          hint="If you import from the same source again, only tasks with new ids are added."
        />
      </fieldset>
      <button type="submit" class="plain">
        Update preview
      </button>
    </Form>
  );
}

interface ValueSelectProps {
  readonly value: ImportedValue;
  readonly index: number;
  readonly column: ImportReport['columns'][number] | undefined;
  readonly people: PersonChoices;
}

function ValueSelect({
  value: { column: number, text, count, means, personName },
  index,
  column,
  people,
}: ValueSelectProps) {
  const options = listValueOptions(column?.use, people, { id: means, name: personName });
  if (options.length === 0) return null;
  return (
    <>
      <input
        type="hidden"
        name={`${VALUE_FIELD_PREFIX}${index}`}
        value={`${number} ${column?.use} ${text}`}
      />
      <Select
        name={`${CHOICE_FIELD_PREFIX}${index}`}
        label={`${column?.header ?? ''}: ${text}`}
        value={means ?? 'text'}
        options={[['text', 'Keep as text'], ...options]}
        hint={formatCount(count, 'task')}
      />
    </>
  );
}

/** @param current the selected person, who might be missing from `people` */
function listValueOptions(
  use: string | undefined,
  people: PersonChoices,
  current: { id: string | null; name: string | null },
): readonly (readonly [string, string])[] {
  if (use === 'status') return taskStatuses.map((status) => [status, statusLabels[status]] as const);
  if (use === 'priority')
    return taskPriorities.map((priority) => [priority, priorityLabels[priority]] as const);
  if (use !== 'assignee') return [];
  const others = people.map(({ id, name }) => [id, name] as const);
  if (current.id === null || current.name === null || people.some(({ id }) => id === current.id))
    return others;
  return [[current.id, current.name], ...others];
}
