import { toPlainText } from '../../kernel/rich-text/plain-text.ts';
import { cacheLast } from '../../kernel/text/cache-last.ts';

/** NUL would end an SQL string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this one is exactly what must go
const NUL_CHARACTER = /\u0000/g;

/** Composing sorts the marks of a letter in quadratic time, and no script uses more than a few. */
const LONG_RUN_OF_MARKS = /\p{M}{30}(?=\p{M})/gu;
/** The combining grapheme joiner ends a run, as in the Stream-Safe Text Format of Unicode (UAX 15). */
const GRAPHEME_JOINER = '\u034f';

/** Folds texts in the Worker, because SQLite folds fewer letters. */
export function toSearchKey(text: string): string {
  return text
    .replace(LONG_RUN_OF_MARKS, `$&${GRAPHEME_JOINER}`)
    .normalize('NFC')
    .toLowerCase()
    .replace(NUL_CHARACTER, ' ');
}

const toHtmlSearchKey = cacheLast((html) => toSearchKey(toPlainText(html)));

/** Leaves out the markup. */
export function toDescriptionKey(description: string | null): string {
  return description === null ? '' : toHtmlSearchKey(description);
}
