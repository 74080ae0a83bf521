import { rewriteMarkup } from '../../kernel/rich-text/rich-text.ts';
import { toSafeAttribute } from '../../kernel/rich-text/safe-attribute.ts';
import { safeTags } from '../../kernel/rich-text/safe-tags.ts';
import { hideMentions } from '../../tasks/mentions/mentions.ts';

/** The lengths are limited, so that a long text without an address takes linear time. */
const EMAIL_PATTERN = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu;
const AT_SIGN_REFERENCE = /&(?:#0*64|#x0*40|commat);?/gi;

/** The tags around an at sign, as in `<b>ada</b>@example.com`. The page closes what is left open without them. */
const TAGS_AROUND_AT_SIGN =
  /(?<=[\p{L}\p{N}])(?:<[^<>]{0,200}>){0,5}@(?:<[^<>]{0,200}>){0,5}(?=[\p{L}\p{N}])/gu;

/** Hides mentions, email addresses and links into the app in a text that visitors see. */
export function toPublicText(text: string, origin: string): string {
  return hideMentions(text)
    .replaceAll(buildInternalLinkPattern(origin), '(internal link)')
    .replaceAll(EMAIL_PATTERN, '(email address hidden)');
}

export function toPublicHtml(html: string, origin: string): string {
  const withoutLinks = rewriteMarkup(html, {
    tag: (name) => safeTags.has(name),
    attribute: (tag, name, value) =>
      tag === 'a' && name === 'href' && isExternalLink(value, origin) ? toSafeAttribute(name, value) : null,
  });
  return toPublicText(
    withoutLinks.replaceAll(AT_SIGN_REFERENCE, '@').replaceAll(TAGS_AROUND_AT_SIGN, '@'),
    origin,
  );
}

function isExternalLink(address: string, origin: string): boolean {
  return (
    /^https?:\/\//i.test(address) &&
    !buildInternalLinkPattern(origin).test(address) &&
    !containsEmail(address)
  );
}

/** An address in a URL is often encoded. */
function containsEmail(address: string): boolean {
  return address.replaceAll(/%40/gi, '@').search(EMAIL_PATTERN) >= 0;
}

function buildInternalLinkPattern(origin: string): RegExp {
  const { host } = new URL(origin);
  return new RegExp(`https?://${host.replaceAll(/[.\\[\\]]/g, '\\$&')}(?:/[^\\s<>"]*)?`, 'gi');
}
