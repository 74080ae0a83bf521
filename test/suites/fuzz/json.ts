/**
 * Any value that JSON text can express: keys may be repeated or be `__proto__`, and numbers may be too large for a
 * double.
 */
export type Json = null | boolean | number | string | Json[] | JsonObject | RawJson;

export interface JsonObject {
  readonly members: readonly (readonly [name: string, value: Json])[];
}

/** Text that is inserted into the body unchanged. */
export interface RawJson {
  readonly raw: string;
}

export function writeJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if ('raw' in value) return value.raw;
  return `{${value.members.map(([name, each]) => `${JSON.stringify(name)}:${writeJson(each)}`).join(',')}}`;
}
