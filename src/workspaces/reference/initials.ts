const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Turns "Ada King Lovelace" into "AL", and "Ada" into "A". */
export function toInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const chosen = words.length > 1 ? [words.at(0), words.at(-1)] : words;
  return chosen.map(getFirstLetter).join('').toUpperCase();
}

/**
 * Avoids the segmenter, which is a hundred times slower. An ASCII character followed by another is a whole grapheme.
 */
const ASCII_START_PATTERN = /^[\x20-\x7e](?:[\x20-\x7e]|$)/;

function getFirstLetter(word = ''): string {
  if (ASCII_START_PATTERN.test(word)) return word.charAt(0);
  const [first] = segmenter.segment(word);
  return first?.segment ?? '';
}
