import { shorten } from './shorten.ts';

/**
 * A line of a tool result starts with an id, a date, a fixed word or a dash. Pipes separate its parts, which contain no
 * pipes or line breaks. Longer text is quoted with `> `, so user text can't look like a line written by the tool.
 */

const SHOWN_PART_CHARACTERS_MAX = 120;
const LINE_BREAK = /\r\n|[\n\v\f\r\p{Zl}\p{Zp}]/u;
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

export function buildToolLine(...parts: readonly (string | number | false | null | undefined)[]): string {
  return parts
    .filter((part) => part !== false && part !== null && part !== undefined && part !== '')
    .map((part) => shorten(toLinePart(String(part)), SHOWN_PART_CHARACTERS_MAX))
    .join(' | ');
}

/** Makes text safe as part of a line. Replaces unpaired surrogates, which strict clients can't read. */
export function toLinePart(text: string): string {
  return text
    .replace(BIDI_CONTROLS, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('|', '¦')
    .toWellFormed();
}

export function quoteLines(text: string): string[] {
  return text
    .split(LINE_BREAK)
    .map(
      (each) =>
        `> ${each.replace(BIDI_CONTROLS, '').replaceAll('\t', '  ').replace(CONTROL_CHARACTERS, ' ').toWellFormed()}`,
    );
}
