export const inlineTags = [
  'a',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'sub',
  'sup',
  'mark',
  'span',
  'code',
] as const;

export const blockTags = [
  ...(['p', 'br', 'hr', 'pre', 'blockquote', 'div', 'ul', 'ol', 'li'] as const),
  ...(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const),
  ...(['table', 'thead', 'tbody', 'tr', 'th', 'td'] as const),
] as const;

export type InlineTag = (typeof inlineTags)[number];
export type BlockTag = (typeof blockTags)[number];

/** `img` isn't in `safeTags`, because the sanitizer keeps it only if it shows an attachment. */
export const voidTags: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

export const safeTags: ReadonlySet<string> = new Set([...inlineTags, ...blockTags]);
