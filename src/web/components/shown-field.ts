import type * as z from 'zod';
import { fingerprint, type Shown } from '../../kernel/as-shown.ts';

/** What a form showed, as its hidden field says it. */
export function toShownField(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}:${fingerprint(value)}`)
    .join(' ');
}

export function readShown(fields: URLSearchParams): Shown {
  const prints = (fields.get('shown') ?? '').split(' ').map((each) => each.split(':'));
  return Object.fromEntries(prints.flatMap(([name, print]) => (name && print ? [[name, print]] : [])));
}

/**
 * The input without what the person left as it was shown, so that two people who change two fields change both. Null if
 * that is all of it.
 */
export function withoutUntouched(
  input: Readonly<Record<string, unknown>>,
  shown: Shown,
  schema: z.ZodObject,
): Record<string, unknown> | null {
  const isTouched = (name: string) => fingerprint(input[name]) !== shown[name];
  const seen = Object.keys(shown).filter((name) => Object.hasOwn(input, name));
  if (seen.length > 0 && !seen.some(isTouched)) return null;
  const mayBeLeftOut = (name: string) =>
    Object.hasOwn(schema.shape, name) && (schema.shape[name] as z.ZodType).safeParse(undefined).success;
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name]) => shown[name] === undefined || isTouched(name) || !mayBeLeftOut(name),
    ),
  );
}
