import * as z from 'zod';

export const civilDate = z
  .string()
  // With z.iso.date(), the OpenAPI document and the tool list would repeat the pattern for every date.
  .refine((text) => z.regexes.date.test(text), {
    message: 'must be a real date in the form YYYY-MM-DD',
  })
  .meta({ format: 'date', example: '2026-03-02' });

const INSTANT_PATTERN = z.regexes.datetime({ offset: true });

export const instantInput = z
  .string()
  .max(40)
  .refine((text) => INSTANT_PATTERN.test(text), {
    message: 'must be a timestamp like 2026-03-02T09:30:00.000Z',
  })
  .meta({ format: 'date-time', example: '2026-03-02T09:30:00.000Z' });

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

export const integerId = z.int().min(0).meta({ example: 1 });

/** The maximum size of a value as JSON, in bytes. Assumes no control characters, whose escapes take six bytes each. */
export const jsonByteLimits = z.registry<{ bytes: number }>();

export function buildPlainTextSchema(charactersMax: number) {
  const text = z.string().max(charactersMax);
  jsonByteLimits.add(text, { bytes: 3 * charactersMax });
  return text;
}

/** For output in ASCII without quotes or backslashes, such as URLs and ids. */
export function buildAsciiTextSchema(charactersMax: number) {
  const text = z.string().max(charactersMax);
  jsonByteLimits.add(text, { bytes: charactersMax });
  return text;
}

export const timestamp = buildAsciiTextSchema(24).meta({
  format: 'date-time',
  example: '2026-03-02T09:30:00.000Z',
});

/** In a query, the names are separated by commas. In a body, they form an array. */
export function buildNameListSchema<const T extends readonly [string, ...string[]]>(names: T) {
  return z.array(z.enum(names));
}

/** Objects whose fields are separate query parameters, such as `cf_12=3`. OpenAPI calls this style `explode`. */
export const parameterGroups = z.registry<{ pattern: RegExp; example: string }>();

/** Lists whose operations check each item separately, so that a single item can be rejected. */
export const listsValidatedPerItem = new WeakSet<z.ZodType>();

/**
 * The response of a delete or another write that returns no data. It has a body because every response is JSON
 * (docs/contract.md#bodies).
 */
export const successOutput = z.object({ success: z.literal(true) }).meta({ id: 'Done' });

export const successReplay = { rebuild: async () => ({ success: true as const }) };
