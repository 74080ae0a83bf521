import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { removeControlCharacters } from '../../kernel/text/storable-text.ts';

/**
 * The characters of the bytes 0x80 to 0x9F in Windows-1252. `TextDecoder` isn't used for them, because
 * runtimes decode them differently.
 */
const WINDOWS_1252 =
  '\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178';
/** Enough to detect UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 512;
const PART_LENGTH = 32 * 1024;

/** Throws 400 for a file that isn't text, such as a spreadsheet. */
export function decodeText(bytes: Uint8Array): string {
  rejectArchivesAndSpreadsheets(bytes);
  const encoding = detectUtf16(bytes);
  const text = encoding ? new TextDecoder(encoding).decode(bytes) : decodeBytes(bytes);
  return mapParts(text, removeControlCharacters).toWellFormed();
}

function rejectArchivesAndSpreadsheets(bytes: Uint8Array) {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
  const isOldSpreadsheet = bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;
  if (!isZip && !isOldSpreadsheet) return;
  throw invalidRequestError(
    isZip
      ? 'The file is a zip archive or a spreadsheet, not a CSV file. Unzip the archive, or export the spreadsheet as CSV.'
      : 'The file is a spreadsheet, not a CSV file. Export it as CSV.',
  );
}

function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  // Latin text in UTF-16 has a zero byte in most characters, always at odd or always at even positions.
  const most = sample.length / 4;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : null;
}

function decodeBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return mapParts(bytes, decodeWindows1252);
  }
}

function decodeWindows1252(bytes: Uint8Array): string {
  const toUnit = (byte: number) =>
    byte >= 0x80 && byte <= 0x9f ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte;
  return new TextDecoder('utf-16le').decode(Uint16Array.from(bytes, toUnit));
}

/** Works in parts, because replacing millions of characters at once takes several times the memory of the file. */
function mapParts<T extends string | Uint8Array>(whole: T, map: (part: T) => string): string {
  const parts: string[] = [];
  for (let at = 0; at < whole.length; at += PART_LENGTH)
    parts.push(map(whole.slice(at, at + PART_LENGTH) as T));
  return parts.join('');
}
