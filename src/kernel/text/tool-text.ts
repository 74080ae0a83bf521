import { shorten } from './shorten.ts';

/**
 * How tools write what people wrote. A line of ours begins with an id, a date or a word of ours and has its parts between
 * bars; a part never holds a bar or a line break. Whatever may have several lines is quoted, each line behind `> `. So no
 * text of a person reads like a line of ours.
 */

const PART_SHOWN_MAX = 120;
const LINE_BREAK = /\r\n|[\n\v\f\r\p{Zl}\p{Zp}]/u;
/** Marks that reorder what a reader sees. */
const BIDI = /\p{Bidi_Control}/gu;
const CONTROLS = /\p{Cc}+/gu;

/** Joins parts to a line; empty ones are left out. */
export function line(...parts: readonly (string | number | false | null | undefined)[]): string {
  return parts
    .filter((part) => part !== false && part !== null && part !== undefined && part !== '')
    .map((part) => shorten(inLine(String(part)), PART_SHOWN_MAX))
    .join(' | ');
}

/** A text as a part of a line of ours. A split surrogate pair, which strict clients cannot read, is replaced. */
export function inLine(text: string): string {
  return text
    .replace(BIDI, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('|', '¦')
    .toWellFormed();
}

/** A text of several lines: each behind a mark that no line of ours begins with. */
export function quoted(text: string): string[] {
  return text
    .split(LINE_BREAK)
    .map(
      (each) => `> ${each.replace(BIDI, '').replaceAll('\t', '  ').replace(CONTROLS, ' ').toWellFormed()}`,
    );
}
