import { closest, distance } from 'fastest-levenshtein';
import * as z from 'zod';
import { formatCount } from '../text/number-format.ts';
import { shorten } from '../text/shorten.ts';
import { toLinePart } from '../text/tool-text.ts';
import { defaultWords, type Vocabulary } from '../text/wording.ts';

const ISSUES_SHOWN_MAX = 5;
const SHOWN_VALUE_CHARACTERS_MAX = 60;

export function describeParseError(
  error: z.ZodError,
  schema: z.ZodType,
  words: Vocabulary = defaultWords,
): string {
  const issues = sortIssues(error);
  const shown = issues.slice(0, ISSUES_SHOWN_MAX).map((issue) => describeIssue(issue, schema, words));
  const hidden = issues.length - shown.length;
  return shown.join('; ') + (hidden > 0 ? `; and ${hidden} more` : '');
}

export function formatInvalidFieldPath(error: z.ZodError, words: Vocabulary): string {
  const [first] = sortIssues(error);
  if (first === undefined) return '';
  const path = first.code === 'unrecognized_keys' ? [...first.path, first.keys[0] ?? ''] : first.path;
  return path.length === 0 ? (words.whole ?? '') : formatFieldPath(path, words);
}

/** Unknown fields come first, because a misspelled name explains why a required field is missing. */
function sortIssues(error: z.ZodError): z.core.$ZodIssue[] {
  return error.issues.toSorted((a, b) => rankIssue(a) - rankIssue(b));
}

function rankIssue(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? 0 : 1;
}

export function describeUnknownName(
  kind: string,
  name: string,
  allowed: readonly string[],
  within = '',
): string {
  const shown = quoteValue(within + name);
  if (allowed.length === 0) return `unknown ${kind} ${shown}; none are allowed here`;
  return `unknown ${kind} ${shown}${buildSuggestion(name, allowed)}. Allowed: ${allowed.join(', ')}`;
}

export function describeUnknownFields(
  names: readonly string[],
  allowed: readonly string[],
  within = '',
): string {
  const shown = names
    .slice(0, ISSUES_SHOWN_MAX)
    .map((name) => describeUnknownName('field', name, allowed, within));
  const hidden = names.length - shown.length;
  return shown.join('; ') + (hidden > 0 ? `; and ${formatCount(hidden, 'more unknown field')}` : '');
}

function buildSuggestion(name: string, allowed: readonly string[]): string {
  const best = closest(name.slice(0, SHOWN_VALUE_CHARACTERS_MAX), allowed);
  const tolerated = Math.max(2, Math.floor(best.length / 3));
  return distance(name.slice(0, SHOWN_VALUE_CHARACTERS_MAX).toLowerCase(), best.toLowerCase()) <= tolerated
    ? ` (did you mean '${best}'?)`
    : '';
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType, words: Vocabulary): string {
  const field = formatFieldPath(issue.path, words);
  const got = `got ${quoteValue(issue.input)}`;
  switch (issue.code) {
    case 'unrecognized_keys': {
      // Only top-level fields can have different names in REST and MCP.
      const isInside = issue.path.length > 0;
      const { field: nameOf, takes } = isInside ? defaultWords : words;
      const allowed = listKeysAt(schema, issue.path).filter((name) => takes(name));
      return describeUnknownFields(
        issue.keys.map((name) => nameOf(name)),
        allowed.map((name) => nameOf(name)),
        isInside ? `${field}.` : '',
      );
    }
    case 'invalid_type':
      return issue.input === undefined
        ? `${field} is required (${describeType()})`
        : `${field} must be ${describeType()}; ${got}`;
    case 'invalid_value': {
      const options = issue.values.map(String);
      const hint = typeof issue.input === 'string' ? buildSuggestion(issue.input, options) : '';
      if (issue.input === undefined) return `${field} is required: one of ${options.join(', ')}`;
      return `${field} must be one of ${options.join(', ')}; ${got}${hint}`;
    }
    case 'too_small':
      return `${field} must ${describeBound(issue.origin, 'at least', issue.minimum, issue.inclusive)}; ${describeSize(issue.origin, issue.input)}`;
    case 'too_big':
      return `${field} must ${describeBound(issue.origin, 'at most', issue.maximum, issue.inclusive)}; ${describeSize(issue.origin, issue.input)}`;
    default:
      return `${field} ${issue.message}; ${got}`;
  }

  function describeType(): string {
    if (findSchemaAt(schema, issue.path) instanceof z.ZodNumberFormat) return 'an integer';
    const name = issue.code === 'invalid_type' ? issue.expected : 'value';
    return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
  }
}

export function formatFieldPath(path: readonly PropertyKey[], words: Vocabulary): string {
  const [first, ...parts] = path;
  if (first === undefined) return words.whole ?? 'the body';
  const inside = words.takesOne(String(first)) ? parts.slice(1) : parts;
  const steps = inside.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return words.field(String(first)) + steps.join('');
}

function describeBound(origin: string, direction: string, limit: number | bigint, inclusive = true): string {
  const amount = `${inclusive ? direction : direction === 'at least' ? 'more than' : 'less than'} ${limit}`;
  const end = Number(limit) === 1 ? '' : 's';
  if (origin === 'string') return `have ${amount} character${end}`;
  if (origin === 'array') return `have ${amount} item${end}`;
  return `be ${amount}`;
}

function describeSize(origin: string, input: unknown): string {
  if (origin === 'string') return `got ${String(input).length}`;
  if (origin === 'array') return `got ${Array.isArray(input) ? input.length : quoteValue(input)}`;
  return `got ${quoteValue(input)}`;
}

export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = String(value);
  const short = shorten(text, SHOWN_VALUE_CHARACTERS_MAX);
  // Without line breaks, the value can't be mistaken for another line of the message.
  return typeof value === 'string' ? `'${toLinePart(short)}'` : short;
}

function listKeysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const found = findSchemaAt(schema, path);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function findSchemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType {
  let current = unwrapSchema(schema);
  for (const step of path) {
    if (current instanceof z.ZodObject) current = unwrapSchema(current.shape[String(step)] as z.ZodType);
    else if (current instanceof z.ZodArray) current = unwrapSchema(current.element as z.ZodType);
  }
  return current;
}

export function unwrapSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapSchema(schema.def.innerType as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return unwrapSchema(schema.def.in as z.ZodType);
  return schema;
}
