import * as z from 'zod';
import type { AnyTool } from '../kernel/tools/tool.ts';

type JsonObject = Record<string, unknown>;

const OMITTED_KEYWORDS = new Set([
  '$schema',
  'example',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

export function describeTool({ name, title, description, hints, input, output, publishesOutput }: AnyTool) {
  return {
    name,
    title,
    description,
    inputSchema: toCompactJsonSchema(input, 'input'),
    ...(publishesOutput && { outputSchema: keepTopLevelTypes(toCompactJsonSchema(output, 'output')) }),
    annotations: { ...(hints.readOnlyHint ? { readOnlyHint: true } : hints), openWorldHint: false },
  };
}

function toCompactJsonSchema(schema: z.ZodObject, io: 'input' | 'output') {
  return compactSchema(z.toJSONSchema(schema, { io })) as JsonObject & { type: 'object' };
}

/** Publishes only the top level of the schema, even though results match the full schema (docs/adr/0026). */
function keepTopLevelTypes({ $defs: _, properties, ...schema }: JsonObject & { type: 'object' }) {
  const named = Object.entries(properties as Record<string, JsonObject>);
  return { ...schema, properties: Object.fromEntries(named.map(([name, { type }]) => [name, { type }])) };
}

/**
 * To save tokens, leaves out details that error messages can explain. `isPart` is true for nested schemas, and
 * `isBrief` for schemas described elsewhere.
 */
function compactSchema(schema: unknown, isPart = false, isBrief = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => compactSchema(each, isPart, isBrief));
  if (schema === null || typeof schema !== 'object') return schema;
  const { describedElsewhere, ...merged } = mergeAlternatives(schema as JsonObject);
  if (describedElsewhere === 'nothing') merged.properties = {};
  const compactPart = (part: unknown) => compactSchema(part, true, isBrief || describedElsewhere === 'types');
  const entries = Object.entries(merged)
    .filter(([key, value]) => !OMITTED_KEYWORDS.has(key) && !isOmittedConstraint(key, value))
    .filter(([key]) => !(isPart && key === 'additionalProperties'))
    .filter(([key]) => !(isBrief && (key === 'description' || key === 'format' || key === 'enum')))
    .map(([key, value]) => [
      key,
      key === 'properties'
        ? Object.fromEntries(
            Object.entries(value as JsonObject).map(([name, each]) => [name, compactPart(each)]),
          )
        : compactPart(value),
    ]);
  return Object.fromEntries(entries);
}

function isOmittedConstraint(key: string, value: unknown): boolean {
  if (key === 'maximum') return (value as number) > 100;
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER || value === 0 || value === 1;
  if (key === 'default') return value === 0 || value === false;
  if (key === 'additionalProperties') return value !== false;
  if (key === 'required') return (value as unknown[]).length === 0;
  return key === 'properties' && Object.keys(value as JsonObject).length === 0;
}

/** Turns `{anyOf: [{type: string}, {type: null}]}` into `{type: [string, null]}`. */
function mergeAlternatives({ anyOf, ...rest }: JsonObject): JsonObject {
  if (anyOf === undefined) return rest;
  const options = anyOf as JsonObject[];
  if (options.some(({ type }) => typeof type !== 'string')) return { anyOf, ...rest };
  const [first = {}, ...others] = options;
  const merged = Object.assign({}, ...others, first) as JsonObject;
  if (merged.enum) merged.enum = [...(merged.enum as unknown[]), null];
  return { ...merged, ...rest, type: options.map(({ type }) => type) };
}
