import * as z from 'zod';
import type { AppError } from '../../kernel/errors/errors.ts';
import { unwrap } from '../../kernel/errors/explain.ts';
import { withoutControls } from '../../kernel/text/storable-text.ts';
import { isTooEarly, TOO_EARLY } from '../page-model/first-year.ts';
import { toSentence } from './to-sentence.ts';

/** Fields that are not input: who sent the form, how often it counts, where it goes back to, which of several it is, and what it showed. */
export const FRAME_FIELDS: ReadonlySet<string> = new Set(['csrf', 'once', 'back', 'field', 'shown']);

/** The fields of a form as an operation takes them: text becomes what its schema says, an empty field becomes null. */
export function readFormInput(fields: URLSearchParams, schema: z.ZodObject): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of new Set(fields.keys())) {
    if (FRAME_FIELDS.has(name)) continue;
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    // An unknown name stays, so that the operation refuses it.
    input[name] = field ? readField(fields.getAll(name), field) : fields.get(name);
    if (input[name] === undefined) delete input[name];
  }
  return input;
}

function readField(values: readonly string[], schema: z.ZodType): unknown {
  const type = unwrap(schema);
  if (type instanceof z.ZodArray) {
    const said = values.filter((text) => text !== '');
    if (said.length === 0 && schema.safeParse(null).success) return null;
    return said.map((text) => readText(text, unwrap(type.element as z.ZodType)));
  }
  const text = values.at(-1) ?? '';
  if (text === '' && schema.safeParse(null).success) return null;
  // A text that may be left out is no reason to take an empty one: its schema says.
  if (text === '' && !(type instanceof z.ZodString) && schema.safeParse(undefined).success) return undefined;
  return readText(text, type);
}

function readText(text: string, type: z.ZodType): unknown {
  if (type instanceof z.ZodNumber) return /^-?\d{1,15}(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return text === 'true' || text === 'on';
  // Browsers send line breaks as CR LF.
  return withoutControls(text.replaceAll('\r\n', '\n'));
}

/** How JSON holds a value is nothing that a person types. */
const FOR_PROGRAMS = /, as a string$/;

/** What is wrong with the fields, each in a sentence for a person. Empty if the operation will take them. */
export function problemsOf(input: Record<string, unknown>, schema: z.ZodObject): Record<string, string> {
  const parsed = schema.safeParse(input, { reportInput: true });
  const problems: Record<string, string> = {};
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? '');
    problems[name] ??= describe(issue);
  }
  for (const [name, value] of Object.entries(input)) {
    if (isDate(schema, name) && isTooEarly(value)) problems[name] ??= TOO_EARLY;
  }
  return problems;
}

function isDate(schema: z.ZodObject, name: string): boolean {
  const field = Object.hasOwn(schema.shape, name) ? unwrap(schema.shape[name] as z.ZodType) : undefined;
  return field instanceof z.ZodString && /^date/.test(String(field.meta()?.format));
}

function describe(issue: z.core.$ZodIssue): string {
  const isEmpty = issue.input === undefined || issue.input === '' || issue.input === null;
  if (isEmpty) return 'Fill this in.';
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'array') return `Choose at least ${issue.minimum}.`;
      return issue.origin === 'string'
        ? `At least ${issue.minimum} characters.`
        : `At least ${issue.minimum}.`;
    case 'too_big':
      return issue.origin === 'string'
        ? `At most ${issue.maximum} characters; these are ${String(issue.input).length}.`
        : `At most ${issue.maximum}.`;
    case 'invalid_value':
      return 'Choose one of the list.';
    case 'invalid_type':
      return issue.expected === 'number' ? 'A number, please.' : 'This does not fit here.';
    case 'unrecognized_keys':
      return 'This form is outdated. Reload the page and send it again.';
    default:
      return toSentence(issue.message.replace(FOR_PROGRAMS, ''));
  }
}

/** What is wrong with no field that was sent, which no field of the page can say; null where there is nothing. */
export function describeUnshownProblem(
  problems: Readonly<Record<string, string>>,
  sent: readonly string[],
): string | null {
  const [name] = Object.keys(problems).filter((each) => !sent.includes(each));
  if (name === undefined) return null;
  // What is about no field at all has no name.
  return `${name && `${name}: `}${problems[name]}`;
}

/** The field that a refusal begins with, of those that were shown; null where it is about something else. */
export function fieldOf({ code, message }: AppError, shown: readonly string[]): string | null {
  const [first = ''] = message.split(' ');
  return code === 'invalid_request' && shown.includes(first) ? first : null;
}
