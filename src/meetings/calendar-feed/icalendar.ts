// iCalendar as RFC 5545 has it: content lines (3.1), text values (3.3.11), times in UTC (3.3.5).

/** A property: its name with parameters, and its value as it stands in the file. */
export type Property = readonly [name: string, value: string];

const OCTETS_A_LINE = 75;
const ASCII = /^[\x20-\x7e]*$/;

/** A text value: commas, semicolons and backslashes are escaped, a line break is `\n`, other controls are left out. */
export function textValue(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** `20260302T093000Z` */
export function instantValue(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** `20260302` */
export function dateValue(date: string): string {
  return date.replaceAll('-', '');
}

/** A component with its properties, and the components in it. */
export function component(
  name: string,
  properties: readonly Property[],
  inner: readonly string[] = [],
): string {
  return [fold(`BEGIN:${name}`), contentLines(properties), ...inner, fold(`END:${name}`)].join('');
}

/** Properties as they stand in a component. */
export function contentLines(properties: readonly Property[]): string {
  return properties.map(([property, value]) => fold(`${property}:${value}`)).join('');
}

/** Breaks a long line, between characters: no line takes more than 75 octets without its end. */
function fold(line: string): string {
  if (line.length <= OCTETS_A_LINE && ASCII.test(line)) return `${line}\r\n`;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0) ?? 0);
    if (octets + size > OCTETS_A_LINE) {
      folded += '\r\n ';
      // The space that continues the line is one of the 75.
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}

/** Of a character in UTF-8. */
function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
