import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { CustomFieldType } from '../../schema/cell/custom-fields.ts';
import type { FieldDefinition } from './custom-fields.queries.ts';
import { toFieldKey } from './field-values.ts';

/** A string value is the id of a person. */
interface FieldValueFilter {
  readonly id: number;
  readonly value: number | string | boolean;
}

const filterableTypes: readonly CustomFieldType[] = ['select', 'multi_select', 'person', 'checkbox'];

export function listPeopleInFilters(filters: readonly FieldValueFilter[] = []): string[] {
  return filters.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

/** Throws 400 for an unknown field or a value that doesn't suit the field's type. `people` includes former members. */
export function requireFieldFilters(
  definitions: readonly FieldDefinition[],
  filters: readonly FieldValueFilter[],
  people: readonly string[],
) {
  for (const { id, value } of filters) {
    const field = definitions.find((each) => each.id === id) ?? throwUnknownFieldFilter(toFieldKey(id));
    const rule = findFilterProblem(field, value, people);
    if (rule !== null) throw invalidFilterError(field.id, `${rule}; got ${quoteValue(value)}`);
  }
}

function findFilterProblem(
  { type, options }: FieldDefinition,
  value: FieldValueFilter['value'],
  people: readonly string[],
): string | null {
  if (!filterableTypes.includes(type)) {
    return `is a field of type ${type}; tasks can be filtered only by fields of type ${filterableTypes.join(', ')}`;
  }
  if (type === 'checkbox') return typeof value === 'boolean' ? null : 'must be true or false';
  if (type === 'person') {
    return typeof value === 'string' && people.includes(value)
      ? null
      : "must be 'me' or the id of a member of this workspace";
  }
  if (options.some((option) => option.id === value)) return null;
  const known = options.map(({ id, name }) => `${id} (${name})`).join(', ');
  return known ? `must be one of ${known}` : 'has no options yet';
}

export function throwUnknownFieldFilter(key: string): never {
  throw invalidRequestError(
    ({ call }) =>
      `${quoteValue(key)} is not a custom field in this workspace. ${call('listCustomFields')} lists the fields.`,
    key,
  );
}

export function tooManyTasksWithValuesError(filters: readonly FieldValueFilter[], max: number): AppError {
  const [first] = filters;
  return invalidRequestError(
    ({ field, takes }) =>
      `More than ${max} tasks have values in custom fields, which is too many to search. Also filter by ${field('projectId')}${takes('createdFrom') ? `, ${field('status')}, ${field('createdFrom')} or ${field('createdTo')}` : ` or ${field('status')}`}.`,
    toFieldKey(first?.id ?? 0),
  );
}

function invalidFilterError(id: number, rule: string): AppError {
  const key = toFieldKey(id);
  return invalidRequestError(`${key} ${rule}`, key);
}
