import * as z from 'zod';
import { unwrapSchema } from '../../kernel/errors/describe-parse-error.ts';
import type { AppError } from '../../kernel/errors/errors.ts';
import { removeControlCharacters } from '../../kernel/text/storable-text.ts';
import { defaultWords } from '../../kernel/text/wording.ts';
import { isTooEarlyDate, REQUIRED_MESSAGE, TOO_EARLY_MESSAGE } from '../page-model/field-problems.ts';
import { toSentence } from './to-sentence.ts';

/** Form fields that aren't input for the operation: CSRF token, form key, return URL, form name and snapshot. */
export const NON_INPUT_FIELDS: ReadonlySet<string> = new Set(['csrf', 'once', 'back', 'field', 'shown']);

export function parseFormInput(
  fields: URLSearchParams,
  schema: z.ZodObject,
  others: readonly string[] = [],
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of new Set(fields.keys())) {
    if (NON_INPUT_FIELDS.has(name) || others.includes(name)) continue;
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    // Keeps unknown names so that the operation rejects them.
    input[name] = field ? parseFieldValues(fields.getAll(name), field) : fields.get(name);
    if (input[name] === undefined) delete input[name];
  }
  return input;
}

function parseFieldValues(values: readonly string[], schema: z.ZodType): unknown {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodArray) {
    const nonEmpty = values.filter((text) => text !== '');
    if (nonEmpty.length === 0 && schema.safeParse(null).success) return null;
    return nonEmpty.map((text) => parseFieldText(text, unwrapSchema(type.element as z.ZodType)));
  }
  const text = values.at(-1) ?? '';
  if (text === '' && schema.safeParse(null).success) return null;
  // For optional text, the schema decides whether it can be empty.
  if (text === '' && !(type instanceof z.ZodString) && schema.safeParse(undefined).success) return undefined;
  return parseFieldText(text, type);
}

function parseFieldText(text: string, type: z.ZodType): unknown {
  if (type instanceof z.ZodNumber) return /^-?\d{1,15}(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return text === 'true' || text === 'on';
  // Browsers send line breaks as CR LF.
  return removeControlCharacters(text.replaceAll('\r\n', '\n'));
}

/** This hint is removed from messages, because people who fill in a form don't know JSON types. */
const JSON_TYPE_HINT_PATTERN = /, as a string$/;

export function findInputProblems(
  input: Record<string, unknown>,
  schema: z.ZodObject,
): Record<string, string> {
  const parsed = schema.safeParse(input, { reportInput: true });
  const problems: Record<string, string> = {};
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? '');
    problems[name] ??= describeIssue(issue);
  }
  for (const [name, value] of Object.entries(input)) {
    if (isDateField(schema, name) && isTooEarlyDate(value)) problems[name] ??= TOO_EARLY_MESSAGE;
  }
  return problems;
}

function isDateField(schema: z.ZodObject, name: string): boolean {
  const field = Object.hasOwn(schema.shape, name) ? unwrapSchema(schema.shape[name] as z.ZodType) : undefined;
  return field instanceof z.ZodString && /^date/.test(String(field.meta()?.format));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const isEmpty = issue.input === undefined || issue.input === '' || issue.input === null;
  if (isEmpty) return REQUIRED_MESSAGE;
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'array') return `Select at least ${issue.minimum}.`;
      return issue.origin === 'string'
        ? `Use at least ${issue.minimum} characters.`
        : `Enter ${issue.minimum} or more.`;
    case 'too_big':
      return issue.origin === 'string'
        ? `Use at most ${issue.maximum} characters. You entered ${String(issue.input).length}.`
        : `Enter ${issue.maximum} or less.`;
    case 'invalid_value':
      return 'Choose an option from the list.';
    case 'invalid_type':
      return issue.expected === 'number' ? 'Enter a number.' : 'Enter a valid value.';
    case 'unrecognized_keys':
      return 'This form is out of date. Reload the page and try again.';
    default:
      return toSentence(issue.message.replace(JSON_TYPE_HINT_PATTERN, ''));
  }
}

/** Returns null if every problem belongs to a field that the form displays. */
export function describeHiddenFieldProblem(
  problems: Readonly<Record<string, string>>,
  sent: readonly string[],
): string | null {
  const [name] = Object.keys(problems).filter((each) => !sent.includes(each));
  if (name === undefined) return null;
  return `${name && `${name}: `}${problems[name]}`;
}

export function findErrorField(error: AppError, fieldNames: readonly string[]): string | null {
  const field = error.getField(defaultWords);
  return error.code === 'invalid_request' && field !== null && fieldNames.includes(field) ? field : null;
}
