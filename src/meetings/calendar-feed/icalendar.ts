// Implements the content lines (3.1), text values (3.3.11) and UTC times (3.3.5) of iCalendar (RFC 5545).

/** `name` includes parameters, and `value` is already escaped. */
export type Property = readonly [name: string, value: string];

const OCTETS_PER_LINE = 75;
const ASCII_PATTERN = /^[\x20-\x7e]*$/;

export function escapeText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

export function formatInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

export function formatDay(date: string): string {
  return date.replaceAll('-', '');
}

export function buildComponent(
  name: string,
  properties: readonly Property[],
  inner: readonly string[] = [],
): string {
  return [foldLine(`BEGIN:${name}`), buildContentLines(properties), ...inner, foldLine(`END:${name}`)].join(
    '',
  );
}

export function buildContentLines(properties: readonly Property[]): string {
  return properties.map(([property, value]) => foldLine(`${property}:${value}`)).join('');
}

function foldLine(line: string): string {
  if (line.length <= OCTETS_PER_LINE && ASCII_PATTERN.test(line)) return `${line}\r\n`;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = countUtf8Bytes(character.codePointAt(0) ?? 0);
    if (octets + size > OCTETS_PER_LINE) {
      folded += '\r\n ';
      // The leading space counts as one of the 75 octets.
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}

function countUtf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
