// A value in three forms: in the database; as a text with its type in front, which passes through any interface; and in
// a line of a file, as JSON.

/** On the way: null, or a letter for the type and the value as text. */
export type Carried = string | null;

/** In a file. What JSON has no type for says which it is; digits in hex are bytes. */
export type Filed =
  | null
  | number
  | string
  | { integer: string }
  | { real: string }
  | { text: string }
  | { blob: string };

/**
 * The SQL that makes a value ready for the way. U+0000 and bytes that are no UTF-8 do not survive every interface, so a
 * text that has them goes as hex: GLOB reads what is ill-formed as U+FFFD.
 * @param isHex sends every text as hex.
 */
export function carry(column: string, isHex = false): string {
  const isPlain = `instr(CAST(${column} AS BLOB), x'00') = 0 AND ${column} NOT GLOB '*' || char(65533) || '*'`;
  const text = `'h' || hex(CAST(${column} AS BLOB))`;
  return [
    `CASE typeof(${column}) WHEN 'null' THEN NULL WHEN 'integer' THEN 'i' || ${column}`,
    `WHEN 'real' THEN 'r' || format('%!.17g', ${column}) WHEN 'blob' THEN 'b' || hex(${column})`,
    `ELSE ${isHex ? text : `CASE WHEN ${isPlain} THEN 't' || ${column} ELSE ${text} END`} END`,
  ].join(' ');
}

/** The SQL that makes a value of the database of one that has arrived. */
export function unpack(carried: string): string {
  const rest = `substr(${carried}, 2)`;
  return [
    `CASE substr(${carried}, 1, 1) WHEN 't' THEN ${rest} WHEN 'i' THEN CAST(${rest} AS INTEGER)`,
    `WHEN 'r' THEN CAST(${rest} AS REAL) WHEN 'h' THEN CAST(unhex(${rest}) AS TEXT)`,
    `WHEN 'b' THEN unhex(${rest}) END`,
  ].join(' ');
}

/** A text arrived with pieces that are no UTF-8, unseen by the database: it must be asked for as hex. */
export function isDamaged(value: Carried): boolean {
  return value?.startsWith('t') === true && value.includes('\ufffd');
}

export function toFile(value: Carried): Filed {
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

export function toCarried(value: Filed): Carried {
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

/** Null where the bytes are no UTF-8. */
function fromHex(hex: string): string | null {
  const text = Buffer.from(hex, 'hex').toString('utf8');
  return toHex(text) === hex ? text : null;
}
