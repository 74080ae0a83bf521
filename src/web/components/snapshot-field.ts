import type * as z from 'zod';
import { fingerprint, type Snapshot } from '../../kernel/operation/snapshot.ts';
import { toOneLine } from '../page-model/one-line.ts';

/** Marks the fingerprint of a multi-line text that a single-line field displays. */
const IN_ONE_LINE = '~';
const multiline = new Set(['description', 'content']);

export function toSnapshotField(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => {
      const isBroken = typeof value === 'string' && !multiline.has(name) && toOneLine(value) !== value;
      const print = `${name}:${fingerprint(value)}`;
      return isBroken ? [print, `${name}${IN_ONE_LINE}:${fingerprint(toOneLine(value))}`] : [print];
    })
    .join(' ');
}

export function readSnapshot(fields: URLSearchParams): Snapshot {
  return Object.fromEntries(readPrints(fields).filter(([name]) => !name.endsWith(IN_ONE_LINE)));
}

function readPrints(fields: URLSearchParams): (readonly [name: string, print: string])[] {
  const prints = (fields.get('shown') ?? '').split(' ').map((each) => each.split(':'));
  return prints.flatMap(([name, print]) => (name && print ? [[name, print] as const] : []));
}

/**
 * Drops unchanged fields, so that concurrent changes to different fields are all kept. Returns null if nothing changed.
 */
export function omitUntouched(
  input: Readonly<Record<string, unknown>>,
  fields: URLSearchParams,
  schema: z.ZodObject,
): Record<string, unknown> | null {
  const shown: Snapshot = Object.fromEntries(readPrints(fields));
  const isTouched = (name: string) => {
    const print = fingerprint(input[name]);
    return print !== shown[name] && print !== shown[name + IN_ONE_LINE];
  };
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
