import { shorten } from '../kernel/text/shorten.ts';

const CHARACTERS_MAX = 40;
/** A year, or the 54 of a studio. */
const DIGITS_MAX = 4;

/** Addresses, handles and the beginnings of telephone numbers. U+3002 and U+FF61 count as dots in names of hosts. */
const ADDRESS = /[/\\:@]|\bwww\b|[.\u3002\uff61]\S|\+\s*\p{Nd}|\b0\d\d/iu;
/** What breaks a line, turns the direction of what follows, or cannot be seen. Emoji and some scripts need two joiners. */
const LAYOUT = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/u;
/** Piled marks reach into the lines above and below. */
const PILE = /\p{M}{4}/u;

/**
 * A name that somebody chose, for a mail to an address that somebody typed: shortened, or null where it may be read as an
 * address, a telephone number or more than a line (docs/security.md#mails-to-strangers).
 */
export function harmlessName(name: string): string | null {
  // Turns full-width and other variants of characters into the usual ones.
  const plain = name.normalize('NFKC');
  const digits = plain.match(/\p{N}/gu)?.length ?? 0;
  const isMessage = digits > DIGITS_MAX || ADDRESS.test(plain) || LAYOUT.test(name) || PILE.test(name);
  return isMessage ? null : shorten(name.replaceAll(/\s+/gu, ' ').trim(), CHARACTERS_MAX);
}
