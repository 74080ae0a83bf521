import xss, { type IFilterXSSOptions } from 'xss';

const safeTags = [
  ...['p', 'br', 'hr', 'strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'mark', 'code', 'pre', 'blockquote'],
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'span',
    'div',
  ],
];

const options: IFilterXSSOptions = {
  whiteList: { ...Object.fromEntries(safeTags.map((tag) => [tag, []])), a: ['href', 'title'] },
  stripIgnoreTag: true,
  stripIgnoreTagBody: ['script', 'style', 'iframe', 'object', 'embed', 'template', 'noscript'],
  css: false,
};

/** Keeps a safe subset of HTML (no script, style, event handler, embed or foreign scheme); text stays as it is. */
export function sanitizeRichText(html: string): string {
  return xss(html, options);
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  apos: "'",
  '#39': "'",
};

/** The text a reader sees, for the search index. */
export function plainText(html: string): string {
  return html
    .replace(/<\/?(p|br|div|li|h[1-6]|tr|td|th|blockquote|pre|hr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#39|\w+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .trim();
}
