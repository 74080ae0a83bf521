// This file is long because each of the eight types of custom fields needs its own checks, and its own way to show
// values.

import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { civilDate } from '../../kernel/operation/schema.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import { toLinePart } from '../../kernel/text/tool-text.ts';
import type { Vocabulary } from '../../kernel/text/wording.ts';
import type { FieldOption } from '../../schema/cell/custom-fields.ts';
import type { FieldContext, FieldDefinition, NamedPerson } from './custom-fields.queries.ts';
import {
  type CustomFieldsInput,
  NUMBER_MAX,
  TEXT_CHARACTERS_MAX,
  URL_CHARACTERS_MAX,
} from './custom-fields.schema.ts';

export type FieldValue = string | number | boolean | number[];
type StoredValues = Readonly<Record<string, FieldValue>>;

export function toFieldKey(id: number): string {
  return `cf_${id}`;
}

export function parseFieldKey(key: string): number | null {
  const digits = /^cf_([1-9]\d{0,14})$/.exec(key)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function parseStoredValues(stored: string | null): StoredValues {
  return stored === null ? {} : JSON.parse(stored);
}

/** Sorts the keys, so that equal values are stored as equal text. */
function serializeValues(values: StoredValues): string | null {
  const entries = Object.entries(values).toSorted(
    ([one], [other]) => Number(one.slice(3)) - Number(other.slice(3)),
  );
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

export function mergeValues(
  stored: string | null,
  changes: Readonly<Record<string, FieldValue | null>>,
): string | null {
  const merged = Object.entries({ ...parseStoredValues(stored), ...changes });
  return serializeValues(
    Object.fromEntries(merged.filter((entry): entry is [string, FieldValue] => entry[1] !== null)),
  );
}

/**
 * Throws 400 for a field that the project doesn't use, and for a value that the field's type doesn't accept. The error
 * names the input as `formatPath` does.
 */
export function planFieldValues(
  sent: CustomFieldsInput | undefined,
  { project, stored }: { project: number; stored: string | null },
  context: FieldContext | null,
  formatPath = formatFieldPath,
): string | null {
  if (sent === undefined || context === null) return stored;
  const before = parseStoredValues(stored);
  const fields = context.projects.get(project) ?? [];
  const changes: Record<string, FieldValue | null> = {};
  for (const [key, value] of Object.entries(sent)) {
    const field =
      findField(fields, key, context) ?? throwUnknownField(key, project, context.allowsNames ? fields : null);
    const own = toFieldKey(field.id);
    if (Object.hasOwn(changes, own))
      throw invalidValueError({ key, formatPath }, 'was sent twice, by id and by name', value);
    changes[own] =
      value === null ? null : parseValue({ ...context, field, key, formatPath, before: before[own] }, value);
  }
  return mergeValues(stored, changes);
}

export function planFieldValueChange(
  sent: CustomFieldsInput | undefined,
  { project, field_values }: { project: number; field_values: string | null },
  context: FieldContext | null,
  formatPath = formatFieldPath,
): { field_values?: string | null } {
  if (sent === undefined) return {};
  return { field_values: planFieldValues(sent, { project, stored: field_values }, context, formatPath) };
}

function findField(
  fields: readonly FieldDefinition[],
  key: string,
  { allowsNames }: FieldContext,
): FieldDefinition | undefined {
  const id = parseFieldKey(key);
  const byId = fields.find((field) => field.id === id);
  if (byId || !allowsNames) return byId;
  return fields.find(({ name }) => name.toLowerCase() === key.toLowerCase());
}

interface ValuePath {
  key: string;
  formatPath: typeof formatFieldPath;
}

interface ValueContext extends Pick<FieldContext, 'people' | 'allowsNames'>, ValuePath {
  field: FieldDefinition;
  before: FieldValue | undefined;
}

/** `before` is the current value. A person who has left the workspace is accepted only if the value doesn't change. */
function parseValue(context: ValueContext, value: NonNullable<CustomFieldsInput[string]>): FieldValue | null {
  const { field, before } = context;
  const reject = (rule: string) => invalidValueError(context, rule, value);
  switch (field.type) {
    case 'text':
      return requireText(value, TEXT_CHARACTERS_MAX, reject);
    case 'url': {
      const text = requireText(value, URL_CHARACTERS_MAX, reject);
      if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text))
        throw reject('must be a URL that starts with http:// or https://');
      return text;
    }
    case 'number':
      if (typeof value !== 'number') throw reject('must be a number');
      if (Math.abs(value) > NUMBER_MAX)
        throw reject(`must be between -${formatNumber(NUMBER_MAX)} and ${formatNumber(NUMBER_MAX)}`);
      return value === 0 ? 0 : value;
    case 'date':
      if (typeof value !== 'string' || !civilDate.safeParse(value).success)
        throw reject('must be a real date in the form YYYY-MM-DD');
      return value;
    case 'checkbox':
      if (typeof value !== 'boolean') throw reject('must be true or false');
      return value;
    case 'select':
      return requireOption(context, value).id;
    case 'multi_select': {
      if (!Array.isArray(value)) throw reject('must be a list of option ids');
      const ids = value.map((each) => requireOption(context, each).id);
      return ids.length === 0 ? null : [...new Set(ids)];
    }
    case 'person':
      if (typeof value !== 'string') throw reject('must be the id of a user');
      return value === before ? value : requirePerson(context, value);
  }
}

function requireText(value: unknown, max: number, reject: (rule: string) => AppError): string {
  if (typeof value !== 'string') throw reject('must be a string');
  if (value.trim() === '') throw reject('must not be blank; null clears it');
  if (value.length > max) throw reject(`must have at most ${max} characters`);
  return value;
}

function requireOption(context: ValueContext, value: unknown): FieldOption {
  const { allowsNames } = context;
  const { options } = context.field;
  const found = options.find(
    ({ id, name }) =>
      id === value ||
      (allowsNames && typeof value === 'string' && name.toLowerCase() === value.toLowerCase()),
  );
  if (found) return found;
  const known = options.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw invalidValueError(context, known ? `must be one of ${known}` : 'has no options yet', value);
}

function requirePerson(context: ValueContext, value: string): string {
  const { people, allowsNames } = context;
  const matches = people.filter((person) => matchesPerson(person, value, allowsNames));
  const [person, ...others] = matches.some(({ id }) => id === value)
    ? matches.filter(({ id }) => id === value)
    : matches;
  if (!person) {
    throw invalidValueError(
      context,
      ({ call }) => `must be a member of this workspace (${call('listUsers')} lists the members)`,
      value,
    );
  }
  if (others.length > 0) {
    const candidates = matches.map(({ name, email, id }) => `${name} (${email}, ${id})`).join(', ');
    throw invalidValueError(context, `must match one person, not several: ${candidates}`, value);
  }
  return person.id;
}

function matchesPerson({ id, name, email }: NamedPerson, value: string, allowsNames: boolean): boolean {
  if (id === value) return true;
  const text = value.toLowerCase();
  return allowsNames && (name.toLowerCase() === text || email.toLowerCase() === text);
}

const SHOWN_KEY_CHARACTERS_MAX = 60;
const formatFieldPath = ({ field }: Vocabulary, key: string) =>
  `${field('customFields')}.${toLinePart(shorten(key, SHOWN_KEY_CHARACTERS_MAX))}`;

/** @param named the project's fields, for errors to agents, because no tool lists fields. Null for other clients. */
function throwUnknownField(key: string, project: number, named: readonly FieldDefinition[] | null): never {
  const names = named?.map(({ name }) => toLinePart(name)).join(', ');
  throw invalidRequestError(
    (words) => {
      const hint =
        named === null
          ? `${words.call('listCustomFields')} lists the fields and their projects`
          : `the project has ${names || 'none'}`;
      return `${formatFieldPath(words, key)} is not a custom field of project ${project}; ${hint}`;
    },
    (words) => formatFieldPath(words, key),
  );
}

function invalidValueError(
  { key, formatPath }: ValuePath,
  rule: string | ((words: Vocabulary) => string),
  value: unknown,
): AppError {
  return invalidRequestError(
    (words) =>
      `${formatPath(words, key)} ${typeof rule === 'string' ? rule : rule(words)}; got ${quoteValue(value)}`,
    (words) => formatPath(words, key),
  );
}

export function toVisibleValue(
  { id, type, options }: FieldDefinition,
  stored: StoredValues,
): FieldValue | null {
  const value = stored[toFieldKey(id)] ?? null;
  if (type === 'select') return options.some((option) => option.id === value) ? value : null;
  if (type === 'multi_select' && Array.isArray(value)) {
    const kept = value.filter((each) => options.some((option) => option.id === each));
    return kept.length === 0 ? null : kept;
  }
  return value;
}

export function dropUnknownValues(stored: string | null, fields: readonly FieldDefinition[]): string | null {
  const values = parseStoredValues(stored);
  const known = fields.map((field) => [toFieldKey(field.id), toVisibleValue(field, values)] as const);
  return mergeValues(null, Object.fromEntries(known));
}

/** These columns are undefined unless the row was read with `expand=customFields`. */
export interface CustomFieldsRow {
  field_ids?: string | null;
  field_values?: string | null;
  /** A JSON object of people's names by user id. */
  field_people?: string;
}

export function pickProjectFields(
  definitions: readonly FieldDefinition[],
  fieldIds: string | null,
): FieldDefinition[] {
  const ids: readonly number[] = JSON.parse(fieldIds ?? '[]');
  return definitions.filter(({ id }) => ids.includes(id));
}

export function toListedFields(
  definitions: readonly FieldDefinition[],
  { field_ids = null, field_values = null }: CustomFieldsRow,
): Record<string, FieldValue | null> {
  const stored = parseStoredValues(field_values);
  const shown = pickProjectFields(definitions, field_ids).map((field) => [
    toFieldKey(field.id),
    toVisibleValue(field, stored),
  ]);
  return Object.fromEntries(shown);
}

export function toFieldText(
  { type, options }: FieldDefinition,
  value: FieldValue | null,
  nameOf: (userId: string) => string | undefined,
): string | null {
  if (value === null) return null;
  if (type === 'checkbox') return value === true ? 'Yes' : 'No';
  if (type === 'person') return nameOf(String(value)) ?? null;
  if (type !== 'select' && type !== 'multi_select') return String(value);
  const ids = [value].flat();
  return options
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
}

export function toFieldTexts(
  definitions: readonly FieldDefinition[],
  { field_ids = null, field_values = null, field_people = '{}' }: CustomFieldsRow,
): Record<string, string> {
  const stored = parseStoredValues(field_values);
  const names: Readonly<Record<string, string>> = JSON.parse(field_people);
  const texts = pickProjectFields(definitions, field_ids).flatMap((field) => {
    const text = toFieldText(field, toVisibleValue(field, stored), (userId) => names[userId]);
    return text === null ? [] : [[toFieldKey(field.id), text] as const];
  });
  return Object.fromEntries(texts);
}
