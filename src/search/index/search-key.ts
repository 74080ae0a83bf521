import { toPlainText } from '../../kernel/rich-text/plain-text.ts';
import { cacheLastResult } from '../../kernel/text/cache-last.ts';

/** A NUL character would end the string in SQL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds NUL characters
const NUL_CHARACTERS = /\u0000/g;

/** No script uses more than a few combining marks per letter, and composing a long run of them takes quadratic time. */
const LONG_RUN_OF_MARKS = /\p{M}{30}(?=\p{M})/gu;
/** The combining grapheme joiner ends a run of marks, as in Unicode's Stream-Safe Text Format (UAX 15). */
const GRAPHEME_JOINER = '\u034f';

/** Folds case in JavaScript, because SQLite folds only ASCII letters. */
export function toSearchKey(text: string): string {
  return text
    .replace(LONG_RUN_OF_MARKS, `$&${GRAPHEME_JOINER}`)
    .normalize('NFC')
    .toLowerCase()
    .replace(NUL_CHARACTERS, ' ');
}

const htmlToSearchKey = cacheLastResult((html) => toSearchKey(toPlainText(html)));

export function toDescriptionKey(description: string | null): string {
  return description === null ? '' : htmlToSearchKey(description);
}
