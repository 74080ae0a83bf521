/** Cuts text after at most `max` UTF-16 units, without splitting a character, and adds an ellipsis. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, findCharacterBoundary(text, max))}…` : text;
}

/** No emoji is longer than this many UTF-16 units. */
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
  // A character longer than `CHARACTER_UNITS_MAX` may be split, but a surrogate pair never is.
  if (start > from || from === 0) return start > 0 ? start : avoidSurrogateSplit(text, at);
  return avoidSurrogateSplit(text, at);
}

function avoidSurrogateSplit(text: string, at: number): number {
  const isLow = /[\uDC00-\uDFFF]/.test(text[at] ?? '');
  return isLow && at > 1 ? at - 1 : at;
}
