import * as z from 'zod';

/** A civil date, never shifted by a time zone. */
export const civilDate = z
  .string()
  // Not z.iso.date() itself: its pattern would stand with every date of the OpenAPI document and of the tools.
  .refine((text) => z.regexes.date.test(text), {
    message: 'must be a real date in the form YYYY-MM-DD',
  })
  .meta({ format: 'date', example: '2026-03-02' });

const INSTANT = z.regexes.datetime({ offset: true });

/** A point in time of an input: ISO 8601, in UTC or with an offset. */
export const instant = z
  .string()
  .max(40)
  .refine((text) => INSTANT.test(text), { message: 'must be a timestamp like 2026-03-02T09:30:00.000Z' })
  .meta({ format: 'date-time', example: '2026-03-02T09:30:00.000Z' });

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Integer ids, within what a JSON number carries exactly. */
export const integerId = z.int().min(0).meta({ example: 1 });

/**
 * The longest JSON of a text in bytes, for texts that take less than six bytes a UTF-16 unit (a control character takes
 * six). test/contract/answer-bytes.test.ts computes from it how large an answer may be.
 */
export const jsonBytesMax = z.registry<{ bytes: number }>();

/** Text of an answer without control characters. */
export function plainText(charactersMax: number) {
  const text = z.string().max(charactersMax);
  jsonBytesMax.add(text, { bytes: 3 * charactersMax });
  return text;
}

/** Text of an answer that is ASCII without quotes and backslashes: an address, an id, a fixed name. */
export function asciiText(charactersMax: number) {
  const text = z.string().max(charactersMax);
  jsonBytesMax.add(text, { bytes: charactersMax });
  return text;
}

/** ISO 8601, UTC, milliseconds. */
export const timestamp = asciiText(24).meta({ format: 'date-time', example: '2026-03-02T09:30:00.000Z' });

/** A comma-separated list in a query, an array of known names everywhere else. */
export function nameList<const T extends readonly [string, ...string[]]>(names: T) {
  return z.array(z.enum(names));
}

/** Lists whose items their operation checks one by one, so that it can refuse one of them alone. */
export const checkedByItem = new WeakSet<z.ZodType>();

/** `success: true`, the answer of deletes: every body of an answer is JSON (docs/contract.md#bodies). */
export const done = z.object({ success: z.literal(true) }).meta({ id: 'Done' });

/** What a repeated request answers whose work was done by the first. */
export const doneAgain = { answer: async () => ({ success: true as const }) };
