/** Matches with this rank or higher come before anything that only the server finds. */
export const GOOD_RANK_MIN = 50;

const INITIALS_LENGTH_MIN = 2;
const SUBSTRING_LENGTH_MIN = 3;
const TYPO_LENGTH_MIN = 4;

export interface Rankable {
  readonly label: string;
  readonly words?: string | undefined;
}

/** Returns 0 if the text doesn't match. Ignores case and accents. */
export function getRank(text: string, { label, words = '' }: Rankable): number {
  const typedWords = splitWords(text);
  const labelWords = splitWords(label);
  if (typedWords.length === 0 || labelWords.length === 0) return 0;
  const [typedText, name] = [typedWords.join(' '), labelWords.join(' ')];
  if (name === typedText) return 100;
  if (name.startsWith(typedText)) return 90;
  if (matchesWordsInOrder(typedWords, labelWords)) return 80;
  if (matchesWordsInAnyOrder(typedWords, labelWords)) return 70;
  const initials = labelWords.map((word) => word.charAt(0)).join('');
  if (typedText.length >= INITIALS_LENGTH_MIN && initials.startsWith(typedText)) return 60;
  const all = [...labelWords, ...splitWords(words)];
  if (matchesWordsInAnyOrder(typedWords, all)) return 55;
  if (typedText.length >= SUBSTRING_LENGTH_MIN && name.includes(typedText)) return 40;
  return typedWords.every((word) => all.some((other) => matchesWithTypo(word, other))) ? 20 : 0;
}

export function splitWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns whether each typed word starts a word of the label, in the same order: "my wo" matches "My work". */
function matchesWordsInOrder(typedWords: readonly string[], words: readonly string[]): boolean {
  let from = 0;
  return typedWords.every((begin) => {
    const at = words.findIndex((word, index) => index >= from && word.startsWith(begin));
    from = at + 1;
    return at >= 0;
  });
}

function matchesWordsInAnyOrder(typedWords: readonly string[], words: readonly string[]): boolean {
  return typedWords.every((begin) => words.some((word) => word.startsWith(begin)));
}

/** Allows one wrong, missing, added or swapped letter. The typed word may be incomplete. */
function matchesWithTypo(typed: string, word: string): boolean {
  if (word.startsWith(typed)) return true;
  if (typed.length < TYPO_LENGTH_MIN) return false;
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
