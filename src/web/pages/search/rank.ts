/** Matches with this rank or higher come before anything that only the server finds. */
export const GOOD_RANK = 50;

const INITIALS_MIN = 2;
const CONTAINED_MIN = 3;
const MISTYPED_MIN = 4;

export interface Rankable {
  readonly label: string;
  readonly words?: string | undefined;
}

/** Returns 0 if the text doesn't match. Ignores case and accents. */
export function rank(text: string, { label, words = '' }: Rankable): number {
  const asked = splitWords(text);
  const own = splitWords(label);
  if (asked.length === 0 || own.length === 0) return 0;
  const [wanted, name] = [asked.join(' '), own.join(' ')];
  if (name === wanted) return 100;
  if (name.startsWith(wanted)) return 90;
  if (startsInOrder(asked, own)) return 80;
  if (startsSomewhere(asked, own)) return 70;
  const initials = own.map((word) => word.charAt(0)).join('');
  if (wanted.length >= INITIALS_MIN && initials.startsWith(wanted)) return 60;
  const all = [...own, ...splitWords(words)];
  if (startsSomewhere(asked, all)) return 55;
  if (wanted.length >= CONTAINED_MIN && name.includes(wanted)) return 40;
  return asked.every((word) => all.some((other) => isMistyped(word, other))) ? 20 : 0;
}

export function splitWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns whether each typed word begins a word of the label, from left to right: "my wo" matches "My work". */
function startsInOrder(asked: readonly string[], words: readonly string[]): boolean {
  let from = 0;
  return asked.every((begin) => {
    const at = words.findIndex((word, index) => index >= from && word.startsWith(begin));
    from = at + 1;
    return at >= 0;
  });
}

function startsSomewhere(asked: readonly string[], words: readonly string[]): boolean {
  return asked.every((begin) => words.some((word) => word.startsWith(begin)));
}

/** Returns whether the typed word, which may be incomplete, has one wrong, missing, added or swapped letter. */
function isMistyped(typed: string, word: string): boolean {
  if (word.startsWith(typed)) return true;
  if (typed.length < MISTYPED_MIN) return false;
  let at = 0;
  while (typed[at] === word[at]) at += 1;
  const rest = typed.slice(at);
  const others = [rest.slice(1), rest, `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`];
  const [afterWrong = '', afterMissing = '', swapped = ''] = others;
  return (
    word.startsWith(afterWrong, at + 1) ||
    word.startsWith(afterMissing, at + 1) ||
    word.startsWith(afterWrong, at) ||
    word.startsWith(swapped, at)
  );
}
