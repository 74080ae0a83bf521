import { readTokens } from './html-tokens.ts';

const blockTags = new Set([
  ...['p', 'br', 'div', 'li', 'tr', 'td', 'th', 'blockquote', 'pre', 'hr'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
]);
const NO_BREAK_SPACE = 0xa0;
/** Placeholders for escaped brackets, because the tokenizer decodes them slowly: 100,000 take 50 ms. */
const [LESS, GREATER] = ['\uffff', '\ufffe'];

export function toPlainText(html: string): string {
  const text = html.replaceAll('&lt;', LESS).replaceAll('&gt;', GREATER);
  const written: string[] = [];
  const breakLine = (start: number, end: number) => {
    if (blockTags.has(text.slice(start, end).toLowerCase())) written.push('\n');
  };
  readTokens(
    text,
    { decodeEntities: true },
    {
      ontext: (start, end) => written.push(text.slice(start, end)),
      ontextentity: (code) => written.push(code === NO_BREAK_SPACE ? ' ' : String.fromCodePoint(code)),
      onopentagname: breakLine,
      onclosetag: breakLine,
    },
  );
  return written.join('').replaceAll(LESS, '<').replaceAll(GREATER, '>').trim();
}
