import * as z from 'zod';
import { describeUnknownName, unwrapSchema } from '../errors/describe-parse-error.ts';
import { invalidRequestError } from '../errors/errors.ts';

function getResourceSchema(output: z.ZodType): z.ZodObject | null {
  const whole = unwrapSchema(output);
  if (!(whole instanceof z.ZodObject)) return null;
  if (!isListEnvelope(whole)) return whole;
  const list = unwrapSchema(whole.shape.data as z.ZodType);
  const item = list instanceof z.ZodArray ? unwrapSchema(list.element as z.ZodType) : null;
  return item instanceof z.ZodObject ? item : null;
}

function isListEnvelope(schema: z.ZodObject): boolean {
  return 'data' in schema.shape && 'meta' in schema.shape;
}

export function listFieldNames(output: z.ZodType): string[] {
  return Object.keys(getResourceSchema(output)?.shape ?? {});
}

const trimmedSchemas = new WeakMap<z.ZodType, z.ZodType>();

export function getTrimmedOutputSchema(output: z.ZodType): z.ZodType | null {
  const resource = getResourceSchema(output);
  if (resource === null || Object.keys(resource.shape).length === 0) return null;
  const whole = unwrapSchema(output) as z.ZodObject;
  const trimmed = getTrimmedSchema(resource, () => resource.partial());
  return whole === resource
    ? trimmed
    : getTrimmedSchema(whole, () => whole.extend({ data: z.array(trimmed) }));
}

function getTrimmedSchema(schema: z.ZodObject, trim: () => z.ZodObject): z.ZodType {
  const known = trimmedSchemas.get(schema);
  if (known) return known;
  const { id } = schema.meta() ?? {};
  const description = 'Returned if the request has `fields`. Contains only the requested fields.';
  const trimmed = trim().meta({ description, ...(id ? { id: `${id}Fields` } : {}) });
  trimmedSchemas.set(schema, trimmed);
  return trimmed;
}

export function parseFields(raw: string, output: z.ZodType): ReadonlySet<string> {
  const allowed = listFieldNames(output);
  const names = raw.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!allowed.includes(name))
      throw invalidRequestError(describeUnknownName('name in fields', name, allowed), 'fields');
  }
  return new Set(names);
}

export function trimToFields(output: unknown, fields: ReadonlySet<string>, kept: readonly string[]): unknown {
  if (output === null || typeof output !== 'object') return output;
  const keep = new Set([...fields, ...kept]);
  const trim = (item: object) => Object.fromEntries(Object.entries(item).filter(([name]) => keep.has(name)));
  if ('data' in output && 'meta' in output && Array.isArray(output.data)) {
    return { ...output, data: output.data.map(trim) };
  }
  return trim(output);
}
