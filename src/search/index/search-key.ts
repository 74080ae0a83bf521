import { plainText } from '../../kernel/rich-text/plain-text.ts';
import { rememberLast } from '../../kernel/text/remember-last.ts';

/** NUL ends an SQL string early. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this one is exactly what must go
const NUL = /\u0000/g;

/** Composing sorts the marks of a letter in quadratic time, and no script puts more than a few on one. */
const LONG_RUN_OF_MARKS = /\p{M}{30}(?=\p{M})/gu;
/** The combining grapheme joiner ends a run: the Stream-Safe Text Format of Unicode (UAX 15). */
const JOINER = '\u034f';

/**
 * The form in which texts are compared: composed (NFC), lower case. Folding is done here and not by SQLite, whose own
 * rules know fewer letters; what is stored and the question go through the same function.
 */
export function searchKeyOf(text: string): string {
  return text.replace(LONG_RUN_OF_MARKS, `$&${JOINER}`).normalize('NFC').toLowerCase().replace(NUL, ' ');
}

const keyOfHtml = rememberLast((html) => searchKeyOf(plainText(html)));

/** The folded text that a reader of a description sees. */
export function descriptionKeyOf(description: string | null): string {
  return description === null ? '' : keyOfHtml(description);
}
