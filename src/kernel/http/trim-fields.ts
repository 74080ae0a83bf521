import * as z from 'zod';
import { describeUnknownName, unwrapSchema } from '../errors/describe-parse-error.ts';
import { invalidRequestError } from '../errors/errors.ts';

function getResourceSchema(output: z.ZodType): z.ZodObject | null {
  const whole = unwrapSchema(output);
  if (!(whole instanceof z.ZodObject)) return null;
  if (!isEnvelope(whole)) return whole;
  const list = unwrapSchema(whole.shape.data as z.ZodType);
  const item = list instanceof z.ZodArray ? unwrapSchema(list.element as z.ZodType) : null;
  return item instanceof z.ZodObject ? item : null;
}

function isEnvelope(schema: z.ZodObject): boolean {
  return 'data' in schema.shape && 'meta' in schema.shape;
}

export function listFieldNames(output: z.ZodType): string[] {
  return Object.keys(getResourceSchema(output)?.shape ?? {});
}

/** Also accepts a response that `fields` has trimmed, in which every property is optional. */
export function allowTrimmedOutput(output: z.ZodType): z.ZodType {
  const resource = getResourceSchema(output);
  if (resource === null || Object.keys(resource.shape).length === 0) return output;
  const whole = unwrapSchema(output) as z.ZodObject;
  const trimmed = getTrimmedResource(resource);
  return z.union([output, whole === resource ? trimmed : whole.extend({ data: z.array(trimmed) })]);
}

/** Cached, because each OpenAPI component name must refer to a single object. */
const trimmedResources = new WeakMap<z.ZodObject, z.ZodObject>();

function getTrimmedResource(resource: z.ZodObject): z.ZodObject {
  const known = trimmedResources.get(resource);
  if (known) return known;
  const { id } = resource.meta() ?? {};
  const description = 'With `fields`: only the requested fields.';
  const trimmed = resource.partial().meta({ description, ...(id ? { id: `${id}Fields` } : {}) });
  trimmedResources.set(resource, trimmed);
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

/** Relations in `kept` aren't trimmed (docs/contract.md#fields-and-relations). */
export function trimToFields(output: unknown, fields: ReadonlySet<string>, kept: readonly string[]): unknown {
  if (output === null || typeof output !== 'object') return output;
  const keep = new Set([...fields, ...kept]);
  const trim = (item: object) => Object.fromEntries(Object.entries(item).filter(([name]) => keep.has(name)));
  if ('data' in output && 'meta' in output && Array.isArray(output.data)) {
    return { ...output, data: output.data.map(trim) };
  }
  return trim(output);
}
