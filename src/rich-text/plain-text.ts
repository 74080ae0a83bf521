import { readTokens } from './html-tokens.ts';

const blockTags = new Set([
  ...['p', 'br', 'div', 'li', 'tr', 'td', 'th', 'blockquote', 'pre', 'hr'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
]);
const NO_BREAK_SPACE = 0xa0;

/** The text a reader sees, for the search index: blocks on lines of their own, entities as their characters. */
export function plainText(html: string): string {
  const written: string[] = [];
  const breakLine = (start: number, end: number) => {
    if (blockTags.has(html.slice(start, end).toLowerCase())) written.push('\n');
  };
  readTokens(
    html,
    { decodeEntities: true },
    {
      ontext: (start, end) => written.push(html.slice(start, end)),
      ontextentity: (code) => written.push(code === NO_BREAK_SPACE ? ' ' : String.fromCodePoint(code)),
      onopentagname: breakLine,
      onclosetag: breakLine,
    },
  );
  return written.join('').trim();
}
