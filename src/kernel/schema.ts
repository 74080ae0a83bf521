import * as z from 'zod';

function isRealDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A civil date, never shifted by a time zone. */
export const civilDate = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDate(text), {
    message: 'must be a real date in the form YYYY-MM-DD',
  })
  .meta({ format: 'date', example: '2026-03-02' });

/** ISO 8601, UTC, milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time', example: '2026-03-02T09:30:00.000Z' });

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Integer ids, within what a JSON number carries exactly. */
export const integerId = z.int().min(0).meta({ example: 17 });

/** A comma-separated list in a query, an array of known names everywhere else. */
export function nameList<const T extends readonly [string, ...string[]]>(names: T) {
  return z.array(z.enum(names));
}

/** `success: true`, the answer of deletes: every response body is JSON (spec 1, rule 1). */
export const done = z.object({ success: z.literal(true) }).meta({ id: 'Done' });
