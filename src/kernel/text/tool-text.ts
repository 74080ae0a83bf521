import { shorten } from './shorten.ts';

/**
 * A line of a tool's result starts with an id, a date or a fixed word, and has parts that are separated by bars. Parts
 * contain no bars or line breaks, and longer text is quoted with `> `, so user text can't look like a tool's line.
 */

const PART_SHOWN_MAX = 120;
const LINE_BREAK = /\r\n|[\n\v\f\r\p{Zl}\p{Zp}]/u;
/** Marks that change the visible order of text. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const CONTROLS = /\p{Cc}+/gu;

export function buildToolLine(...parts: readonly (string | number | false | null | undefined)[]): string {
  return parts
    .filter((part) => part !== false && part !== null && part !== undefined && part !== '')
    .map((part) => shorten(toLinePart(String(part)), PART_SHOWN_MAX))
    .join(' | ');
}

/** Makes text safe to use as a part of a line. Replaces half a surrogate pair, which strict clients can't read. */
export function toLinePart(text: string): string {
  return text
    .replace(BIDI_CONTROLS, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('|', '¦')
    .toWellFormed();
}

/** Starts each line with `> `, which a tool's own lines never start with. */
export function quoteLines(text: string): string[] {
  return text
    .split(LINE_BREAK)
    .map(
      (each) =>
        `> ${each.replace(BIDI_CONTROLS, '').replaceAll('\t', '  ').replace(CONTROLS, ' ').toWellFormed()}`,
    );
}
