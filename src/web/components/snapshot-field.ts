import type * as z from 'zod';
import { buildFingerprint, type Snapshot } from '../../kernel/operation/snapshot.ts';
import { toOneLine } from '../page-model/one-line.ts';

/** Marks the fingerprint of a value without its line breaks, because single-line fields don't submit line breaks. */
const SINGLE_LINE_SUFFIX = '~';
const multilineFields = new Set(['description', 'content', 'redirectUris']);

export function buildSnapshotField(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      const isBroken = typeof value === 'string' && !multilineFields.has(name) && toOneLine(value) !== value;
      const print = `${name}:${buildFingerprint(value)}`;
      return isBroken
        ? [print, `${name}${SINGLE_LINE_SUFFIX}:${buildFingerprint(toOneLine(value))}`]
        : [print];
    })
    .join(' ');
}

export function parseSnapshotField(fields: URLSearchParams): Snapshot {
  return Object.fromEntries(parseFingerprints(fields).filter(([name]) => !name.endsWith(SINGLE_LINE_SUFFIX)));
}

function parseFingerprints(fields: URLSearchParams): (readonly [name: string, print: string])[] {
  const prints = (fields.get('shown') ?? '').split(' ').map((each) => each.split(':'));
  return prints.flatMap(([name, print]) => (name && print ? [[name, print] as const] : []));
}

/** Drops unchanged fields so that forms don't overwrite concurrent changes. Returns null if nothing changed. */
export function omitUnchangedFields(
  input: Readonly<Record<string, unknown>>,
  fields: URLSearchParams,
  schema: z.ZodObject,
): Record<string, unknown> | null {
  const snapshot: Snapshot = Object.fromEntries(parseFingerprints(fields));
  const isTouched = (name: string) => {
    const print = buildFingerprint(input[name]);
    return print !== snapshot[name] && print !== snapshot[name + SINGLE_LINE_SUFFIX];
  };
  const seen = Object.keys(snapshot).filter((name) => Object.hasOwn(input, name));
  if (seen.length > 0 && !seen.some(isTouched)) return null;
  const canBeOmitted = (name: string) =>
    Object.hasOwn(schema.shape, name) && (schema.shape[name] as z.ZodType).safeParse(undefined).success;
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name]) => snapshot[name] === undefined || isTouched(name) || !canBeOmitted(name),
    ),
  );
}
