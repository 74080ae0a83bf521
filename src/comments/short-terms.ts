import { fold } from '../tasks/fold.ts';

/*
 * Searches of one and two characters. A trigram index knows nothing so short, so every distinct character and pair of
 * neighbours of a comment becomes a word of its own in a second index: the code points in hexadecimal.
 */

/** Longer searches go to the trigram index. */
export const SHORT_MAX = 2;

function codesOf(folded: string): string[] {
  return [...folded].map((character) => (character.codePointAt(0) ?? 0).toString(16));
}

/** A folded text of one or two characters as the word that stands for it. */
export function shortTerm(folded: string): string {
  return codesOf(folded).join('z');
}

/** Every word that a comment is found by, each once. */
export function shortTermsOf(content: string): string {
  const codes = codesOf(fold(content));
  const terms = new Set(codes);
  for (let index = 1; index < codes.length; index += 1) terms.add(`${codes[index - 1]}z${codes[index]}`);
  return [...terms].join(' ');
}
