import type * as z from 'zod';
import { buildFingerprint, type Snapshot } from '../../kernel/operation/snapshot.ts';
import { toOneLine } from '../page-model/one-line.ts';

/** Marks a second fingerprint, of the value without line breaks, because single-line fields don't submit them. */
const SINGLE_LINE_SUFFIX = '~';
const multilineFields = new Set(['description', 'content', 'redirectUris']);

export function buildSnapshotField(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      const hasLineBreaks =
        typeof value === 'string' && !multilineFields.has(name) && toOneLine(value) !== value;
      const fingerprint = `${name}:${buildFingerprint(value)}`;
      return hasLineBreaks
        ? [fingerprint, `${name}${SINGLE_LINE_SUFFIX}:${buildFingerprint(toOneLine(value))}`]
        : [fingerprint];
    })
    .join(' ');
}

export function parseSnapshotField(fields: URLSearchParams): Snapshot {
  return Object.fromEntries(parseFingerprints(fields).filter(([name]) => !name.endsWith(SINGLE_LINE_SUFFIX)));
}

function parseFingerprints(fields: URLSearchParams): (readonly [name: string, print: string])[] {
  const fingerprints = (fields.get('shown') ?? '').split(' ').map((each) => each.split(':'));
  return fingerprints.flatMap(([name, fingerprint]) =>
    name && fingerprint ? [[name, fingerprint] as const] : [],
  );
}

/** Drops unchanged fields so that forms don't overwrite concurrent changes. Returns null if nothing changed. */
export function omitUnchangedFields(
  input: Readonly<Record<string, unknown>>,
  fields: URLSearchParams,
  schema: z.ZodObject,
): Record<string, unknown> | null {
  const snapshot: Snapshot = Object.fromEntries(parseFingerprints(fields));
  const hasChanged = (name: string) => {
    const fingerprint = buildFingerprint(input[name]);
    return fingerprint !== snapshot[name] && fingerprint !== snapshot[name + SINGLE_LINE_SUFFIX];
  };
  const snapshotNames = Object.keys(snapshot).filter((name) => Object.hasOwn(input, name));
  if (snapshotNames.length > 0 && !snapshotNames.some(hasChanged)) return null;
  const canBeOmitted = (name: string) =>
    Object.hasOwn(schema.shape, name) && (schema.shape[name] as z.ZodType).safeParse(undefined).success;
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name]) => snapshot[name] === undefined || hasChanged(name) || !canBeOmitted(name),
    ),
  );
}
