import { shorten } from '../kernel/text/shorten.ts';

const NAME_CHARACTERS_MAX = 40;
/** Allows a year ("2026") or a number in a name ("Studio 54"). */
const NAME_DIGITS_MAX = 4;

/** Matches parts of addresses, handles and phone numbers. In host names, U+3002 and U+FF61 work as dots. */
const ADDRESS_PART_PATTERN = /[/\\:@]|\bwww\b|[.\u3002\uff61]\S|\+\s*\p{Nd}|\b0\d\d/iu;
/**
 * Matches line breaks, and characters that are invisible or change the text direction, except the two joiners that
 * emoji and some scripts need.
 */
const INVISIBLE_CHARACTER_PATTERN = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/u;
/** Stacked combining marks overlap the lines above and below. */
const STACKED_MARKS_PATTERN = /\p{M}{4}/u;

/**
 * Returns null for a name that could contain an address, a phone number or hidden text
 * (docs/security.md#emails-to-strangers). Shortens other names.
 */
export function toHarmlessName(name: string): string | null {
  // Turns full-width and other variants of characters into plain ones.
  const plain = name.normalize('NFKC');
  const digits = plain.match(/\p{N}/gu)?.length ?? 0;
  const isMessage =
    digits > NAME_DIGITS_MAX ||
    ADDRESS_PART_PATTERN.test(plain) ||
    INVISIBLE_CHARACTER_PATTERN.test(name) ||
    STACKED_MARKS_PATTERN.test(name);
  return isMessage ? null : shorten(name.replaceAll(/\s+/gu, ' ').trim(), NAME_CHARACTERS_MAX);
}
