const URL_PATTERN = /(?<![\p{L}\p{N}_])https?:\/\/[^\s<>"\p{Cc}\p{Cf}]+/giu;
const TRAILING_PUNCTUATION = ".,;:!?'*_~’”»…";
const OPENING_BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** Limits the rendering time and the size of the page. URLs beyond the limit are displayed as text. */
const LINKS_MAX = 200;

export type TextOrLink = string | { readonly href: string };

export function findLinks(text: string): TextOrLink[] {
  const pieces: TextOrLink[] = [];
  let from = 0;
  let links = 0;
  for (const { 0: found, index } of text.matchAll(URL_PATTERN)) {
    if (links === LINKS_MAX) break;
    const href = trimTrailingPunctuation(found);
    if (!isHttpUrl(href)) continue;
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push({ href });
    from = index + href.length;
    links += 1;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** A trailing closing bracket is part of the URL only if the URL also contains its opening bracket. */
function trimTrailingPunctuation(found: string): string {
  let end = found.length;
  while (end > 0) {
    const last = found[end - 1] ?? '';
    const opening = OPENING_BRACKETS[last];
    const isTrailing =
      opening === undefined
        ? TRAILING_PUNCTUATION.includes(last)
        : !hasBalancedBrackets(found.slice(0, end), opening, last);
    if (!isTrailing) break;
    end -= 1;
  }
  return found.slice(0, end);
}

function hasBalancedBrackets(text: string, opening: string, closing: string): boolean {
  return text.split(opening).length >= text.split(closing).length;
}

function isHttpUrl(href: string): boolean {
  const protocol = URL.parse(href)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
