import fc from 'fast-check';
import { openApiDocument } from '../../support/contract.ts';
import { hostileText } from './hostile-values.ts';
import type { Json, JsonObject } from './json.ts';

export interface JsonSchema {
  $ref?: string;
  type?: string;
  enum?: Json[];
  const?: Json;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

/** Values from the database by field name, such as `projectId` and `email`, because a schema doesn't contain them. */
export type ValuePool = Readonly<Record<string, readonly Json[]>>;

export function resolveReference(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name ? (openApiDocument.components.schemas[name] as JsonSchema) : schema;
}

/** Generates a value that the schema allows, usually one from `pool`. */
export function generateValidValue(
  unresolved: JsonSchema,
  name: string,
  pool: ValuePool,
): fc.Arbitrary<Json> {
  const schema = resolveReference(unresolved);
  const known = pool[name];
  if (known && known.length > 0) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: generateBySchema(schema, name, pool) },
    );
  }
  return generateBySchema(schema, name, pool);
}

function generateBySchema(schema: JsonSchema, name: string, pool: ValuePool): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => generateValidValue(each, name, pool)));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return generateInteger(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'string':
      return generateText(schema);
    case 'array':
      return fc.array(generateValidValue(schema.items ?? {}, name, pool), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return generateValidObject(schema, pool);
    default:
      return fc.constantFrom<Json>('x', 1, null);
  }
}

export function generateValidObject(schema: JsonSchema, pool: ValuePool): fc.Arbitrary<JsonObject> {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(([name, each]) => {
    const member = generateValidValue(each, name, pool).map((value) => [name, value] as const);
    return required.has(name) ? member : fc.option(member, { nil: null, freq: 2 });
  });
  return fc.tuple(...members).map((found) => ({ members: found.filter((each) => each !== null) }));
}

function generateInteger({
  minimum = -1000,
  maximum = Number.MAX_SAFE_INTEGER,
}: JsonSchema): fc.Arbitrary<Json> {
  const small = fc.integer({ min: Math.max(minimum, -1000), max: Math.min(maximum, 1000) });
  return fc.oneof(
    { weight: 4, arbitrary: small },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  );
}

function generateText({ pattern, format, minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<Json> {
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: 60 });
  if (format === 'date') {
    const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
    const edge = fc.constantFrom('0000-01-01', '1970-01-01', '2024-02-29', '9999-12-31');
    return fc.oneof(
      { weight: 6, arbitrary: day.map((each) => each.toISOString().slice(0, 10)) },
      { weight: 1, arbitrary: edge },
    );
  }
  // Generates any Unicode text that a client can send, with a length that the schema allows.
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) }) },
    { weight: 3, arbitrary: hostileText.map((each) => each.slice(0, maxLength).padEnd(minLength, 'x')) },
    { weight: 1, arbitrary: fc.constant('y'.repeat(Math.min(maxLength, 100_000))) },
  );
}
