import type { FieldChoice } from '../../tasks/custom-fields/custom-fields.schema.ts';
import { type TaskFilter, toFieldValues } from '../../tasks/saved-filters/task-filter.ts';
import type { FilterField } from './filter-choices.ts';

type People = readonly { readonly id: string | number; readonly name: string }[];

/** If no project is selected, offers only the fields that already have a filter. */
export function buildFieldFilterChoices(
  { project, fields = [] }: Pick<TaskFilter, 'project' | 'fields'>,
  { defined, people }: { defined: readonly FieldChoice[]; people: People },
): FilterField[] {
  const values = toFieldValues(fields);
  return defined.flatMap((field) => {
    const options = listFieldFilterOptions(field, people);
    const value = values[field.id];
    if (options.length === 0 || (project === undefined && value === undefined)) return [];
    const number = field.id.slice(3);
    return [
      {
        name: 'fields',
        id: `filter-${field.id}`,
        label: field.name,
        value: value === undefined ? '' : `${number}-${value}`,
        options: [
          ['', `${field.name}: any`] as const,
          ...options.map(([each, label]) => [`${number}-${each}`, `${field.name}: ${label}`] as const),
        ],
      },
    ];
  });
}

function listFieldFilterOptions(
  { type, options }: FieldChoice,
  people: People,
): readonly (readonly [value: string, label: string])[] {
  if (type === 'checkbox')
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ];
  if (type === 'person') return [['me', 'Me'], ...people.map(({ id, name }) => [String(id), name] as const)];
  return options.map(({ id, name }) => [String(id), name] as const);
}
