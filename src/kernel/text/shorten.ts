/** Shortens text to `max` UTF-16 units with an ellipsis, without splitting a character. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, findCharacterBoundary(text, max))}…` : text;
}

/** Longer than any emoji sequence. */
const CHARACTER_UNITS_MAX = 64;
let segmenter: Intl.Segmenter | undefined;

/** Returns the last position up to `at` that isn't inside a visible character, such as an emoji. */
export function findCharacterBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (at <= 0) return 0;
  const from = Math.max(0, at - CHARACTER_UNITS_MAX);
  segmenter ??= new Intl.Segmenter();
  const around = text.slice(from, at + CHARACTER_UNITS_MAX);
  const start = from + (segmenter.segment(around).containing(at - from)?.index ?? at - from);
  // A longer sequence of combining marks may be split, but a surrogate pair never is.
  if (start > from || from === 0) return start > 0 ? start : avoidPairSplit(text, at);
  return avoidPairSplit(text, at);
}

function avoidPairSplit(text: string, at: number): number {
  const isLow = /[\uDC00-\uDFFF]/.test(text[at] ?? '');
  return isLow && at > 1 ? at - 1 : at;
}
