const NAME_CHARACTERS_MAX = 100;
/** Matches control, invisible and direction characters, which can make a name look different from the stored text. */
const DECEPTIVE_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

export function describeInvalidClientName(name: string): string | null {
  if (name.length > NAME_CHARACTERS_MAX)
    return `must have at most ${NAME_CHARACTERS_MAX} characters; got ${name.length}`;
  if (DECEPTIVE_CHARACTER.test(name))
    return 'must not contain control, bidirectional or invisible characters';
  return null;
}
