/** What stands between texts in the search index; no text may hold it. */
export const PAD = '\u0001';

// NUL ends an FTS string early, and the pad marks ends of texts.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these two are exactly what must go
const RESERVED = /[\u0000\u0001]/g;

/**
 * The form in which texts are compared: composed (NFC), lower case. Folding is done here and not by SQLite, whose own
 * rules know fewer letters; the index and the question go through the same function.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(RESERVED, ' ');
}

/** Two pads after a text make each of its one- and two-character endings the prefix of a trigram. */
export function foldPadded(text: string): string {
  return text === '' ? '' : fold(text) + PAD + PAD;
}
