// Converts values between three forms: the database value, text that starts with the type, and JSON in a file. Both
// local SQLite and D1's HTTP API return the text form unchanged.

/** The text form: null, or a letter for the type, followed by the value. */
export type TextValue = string | null;

/**
 * The JSON form. Reals, bytes and values that JSON can't express are objects that name the type. Bytes are hexadecimal.
 */
export type FileValue =
  | null
  | number
  | string
  | { integer: string }
  | { real: string }
  | { text: string }
  | { blob: string };

/**
 * Builds SQL that converts a column to the text form. Converts text with U+0000 or invalid UTF-8 to hex, because D1's
 * HTTP API and local SQLite can't both return it. GLOB reads invalid UTF-8 as U+FFFD.
 * @param isHex converts every text to hex
 */
export function buildTextSql(column: string, isHex = false): string {
  const isPlain = `instr(CAST(${column} AS BLOB), x'00') = 0 AND ${column} NOT GLOB '*' || char(65533) || '*'`;
  const text = `'h' || hex(CAST(${column} AS BLOB))`;
  return [
    `CASE typeof(${column}) WHEN 'null' THEN NULL WHEN 'integer' THEN 'i' || ${column}`,
    `WHEN 'real' THEN 'r' || format('%!.17g', ${column}) WHEN 'blob' THEN 'b' || hex(${column})`,
    `ELSE ${isHex ? text : `CASE WHEN ${isPlain} THEN 't' || ${column} ELSE ${text} END`} END`,
  ].join(' ');
}

export function buildValueSql(carried: string): string {
  const rest = `substr(${carried}, 2)`;
  return [
    `CASE substr(${carried}, 1, 1) WHEN 't' THEN ${rest} WHEN 'i' THEN CAST(${rest} AS INTEGER)`,
    `WHEN 'r' THEN CAST(${rest} AS REAL) WHEN 'h' THEN CAST(unhex(${rest}) AS TEXT)`,
    `WHEN 'b' THEN unhex(${rest}) END`,
  ].join(' ');
}

/** True for invalid UTF-8 that `buildTextSql` didn't detect. The page with this value must be read again as hex. */
export function isDamaged(value: TextValue): boolean {
  return value?.startsWith('t') === true && value.includes('\ufffd');
}

export function toFileValue(value: TextValue): FileValue {
  if (value === null) return null;
  const rest = value.slice(1);
  switch (value[0]) {
    case 't':
      return rest;
    case 'i':
      return Number.isSafeInteger(Number(rest)) ? Number(rest) : { integer: rest };
    case 'r':
      return { real: rest };
    case 'b':
      return { blob: rest };
    case 'h':
      return fromHex(rest) ?? { text: rest };
    default:
      throw new Error(`The database sent a value of an unknown type: ${value.slice(0, 40)}`);
  }
}

export function toTextValue(value: FileValue): TextValue {
  if (value === null) return null;
  if (typeof value === 'number') return `i${value}`;
  if (typeof value === 'string') return value.includes('\0') ? `h${toHex(value)}` : `t${value}`;
  if ('integer' in value) return `i${value.integer}`;
  // SQLite writes infinity as Inf and reads it as 9e999.
  if ('real' in value) return `r${value.real.replace('Inf', '9e999')}`;
  return 'blob' in value ? `b${value.blob}` : `h${value.text}`;
}

function toHex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').toUpperCase();
}

/** Returns null if the bytes aren't valid UTF-8. */
function fromHex(hex: string): string | null {
  const text = Buffer.from(hex, 'hex').toString('utf8');
  return toHex(text) === hex ? text : null;
}
