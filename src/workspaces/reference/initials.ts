const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** First letters of the first and the last word, in capitals: "Ada King Lovelace" is AL, "Ada" is A. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const chosen = words.length > 1 ? [words.at(0), words.at(-1)] : words;
  return chosen.map(firstLetter).join('').toUpperCase();
}

/** Two letters that nothing can be a part of; finding graphemes takes a hundred times as long. */
const PLAIN = /^[\x20-\x7e](?:[\x20-\x7e]|$)/;

/** A whole grapheme: half an emoji or a letter without its accent would be wrong. */
function firstLetter(word = ''): string {
  if (PLAIN.test(word)) return word.charAt(0);
  const [first] = segmenter.segment(word);
  return first?.segment ?? '';
}
