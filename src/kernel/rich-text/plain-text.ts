import { readTokens } from './html-tokens.ts';

const blockTags = new Set([
  ...['p', 'br', 'div', 'li', 'tr', 'td', 'th', 'blockquote', 'pre', 'hr'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
]);
const NO_BREAK_SPACE = 0xa0;
/** Placeholders for escaped brackets, because the tokenizer decodes them slowly: 100,000 take 50 ms. */
const [LESS, GREATER] = ['\uffff', '\ufffe'];

/** Includes the alternative text of images. */
export function toPlainText(html: string): string {
  const text = html.replaceAll('&lt;', LESS).replaceAll('&gt;', GREATER);
  const written: string[] = [];
  let isImage = false;
  let isAlt = false;
  const breakLine = (start: number, end: number) => {
    if (blockTags.has(text.slice(start, end).toLowerCase())) written.push('\n');
  };
  readTokens(
    text,
    { decodeEntities: true },
    {
      ontext: (start, end) => written.push(text.slice(start, end)),
      ontextentity: (code) => written.push(code === NO_BREAK_SPACE ? ' ' : String.fromCodePoint(code)),
      onopentagname(start, end) {
        breakLine(start, end);
        isImage = text.slice(start, end) === 'img';
      },
      onclosetag: breakLine,
      onattribname(start, end) {
        isAlt = isImage && text.slice(start, end) === 'alt';
        if (isAlt) written.push(' ');
      },
      onattribdata(start, end) {
        if (isAlt) written.push(text.slice(start, end));
      },
      onattribentity(code) {
        if (isAlt) written.push(String.fromCodePoint(code));
      },
      onopentagend() {
        if (isImage) written.push(' ');
        isImage = false;
        isAlt = false;
      },
    },
  );
  return written.join('').replaceAll(LESS, '<').replaceAll(GREATER, '>').trim();
}
