import MarkdownIt from 'markdown-it';
import { isSameHtml } from './compare-html.ts';
import {
  type HtmlBlock,
  type HtmlElement,
  type HtmlNode,
  isBlock,
  parseHtmlTree,
  splitIntoBlocks,
  writeAttributes,
  writeHtmlLine,
} from './html-tree.ts';
import { sanitizeRichText } from './rich-text.ts';

const parser = new MarkdownIt({ html: true });
// Keeps all links unchanged, because the sanitizer removes the unsafe ones.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;

export function convertMarkdownToHtml(markdown: string): string {
  return sanitizeRichText(parser.render(markdown)).trim();
}

/** If a description has more blocks, they aren't compared one by one, because each comparison parses Markdown. */
const COMPARED_BLOCKS_MAX = 500;

/**
 * Keeps HTML that Markdown can't express. To find it, converts the Markdown back to HTML and compares the result with
 * the original, first as a whole and then block by block.
 */
export function convertHtmlToMarkdown(html: string): string {
  const nodes = parseHtmlTree(html);
  const isPlain = nodes.every((node) => typeof node === 'string');
  const blocks = isPlain ? splitIntoParagraphs(nodes.join('')) : splitIntoBlocks(nodes);
  const written = writeBlocks(blocks);
  const write = (isWritten: (markdown: string, block: HtmlBlock) => boolean) =>
    blocks
      .map((block, index) => {
        const markdown = written[index] ?? null;
        return markdown !== null && isWritten(markdown, block) ? markdown : writeRawHtml(block);
      })
      .join('\n\n');
  const whole = write(() => true);
  if (matchesHtml(whole, blocks)) return whole;
  const writeRaw = () => write(() => false);
  if (blocks.length > COMPARED_BLOCKS_MAX) return writeRaw();
  const mixed = write((markdown, block) => matchesHtml(markdown, [block]));
  return matchesHtml(mixed, blocks) ? mixed : writeRaw();
}

function matchesHtml(markdown: string, blocks: readonly HtmlBlock[]): boolean {
  return isSameHtml(parseHtmlTree(convertMarkdownToHtml(markdown)), blocks.flat() as HtmlNode[]);
}

function splitIntoParagraphs(text: string): HtmlBlock[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => {
      const lines = paragraph
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      const children = lines.flatMap((line, index): HtmlNode[] =>
        index === 0 ? [line] : [{ tag: 'br', attributes: {}, children: [] }, line],
      );
      return { tag: 'p', attributes: {}, children };
    });
}

function writeRawHtml(block: HtmlBlock): string {
  return writeHtmlLine(isElement(block) ? block : { tag: 'p', attributes: {}, children: [...block] });
}

function isElement(block: HtmlBlock): block is HtmlElement {
  return !Array.isArray(block);
}

/** Alternates the markers of adjacent lists, because Markdown would merge lists with the same marker. */
function writeBlocks(blocks: readonly HtmlBlock[]): (string | null)[] {
  let lists = 0;
  return blocks.map((block) => {
    const isList = isElement(block) && (block.tag === 'ul' || block.tag === 'ol');
    lists = isList ? lists + 1 : 0;
    return writeBlock(block, lists % 2 === 0);
  });
}

/** Returns null if Markdown can't express the block. */
function writeBlock(block: HtmlBlock, hasOtherMarker: boolean): string | null {
  if (!isElement(block)) return writeInline(block);
  const { tag, children } = block;
  switch (tag) {
    case 'p':
      return writeInline(children);
    case 'hr':
      return '---';
    case 'ul':
    case 'ol':
      return writeList(block, hasOtherMarker);
    case 'pre':
      return writeCodeBlock(children);
    case 'blockquote':
      return prefixLines(writeNestedBlocks(children), '> ', '> ');
    case 'table':
      return writeTable(block);
    default:
      return /^h[1-6]$/.test(tag)
        ? prefixLines(writeInline(children), `${'#'.repeat(Number(tag[1]))} `, null)
        : null;
  }
}

function writeNestedBlocks(nodes: readonly HtmlNode[]): string | null {
  const written = writeBlocks(splitIntoBlocks(nodes));
  return written.includes(null) ? null : written.join('\n\n');
}

function prefixLines(text: string | null, first: string, next: string | null): string | null {
  if (text === null || (next === null && text.includes('\n'))) return null;
  return text
    .split('\n')
    .map((line, index) =>
      line === '' && index > 0 ? (next ?? '').trimEnd() : `${index === 0 ? first : next}${line}`,
    )
    .join('\n');
}

function writeList({ tag, children }: HtmlElement, hasOtherMarker: boolean): string | null {
  const items = children.filter((each) => typeof each !== 'string' || each.trim() !== '');
  const isLoose = items.some(
    (item) => typeof item !== 'string' && item.children.some((each) => isBlock(each) && each.tag === 'p'),
  );
  const written = items.map((item, place) => {
    if (typeof item === 'string' || item.tag !== 'li') return null;
    const bullet = hasOtherMarker ? '*' : '-';
    const marker = tag === 'ul' ? `${bullet} ` : `${place + 1}${hasOtherMarker ? ')' : '.'} `;
    const blocks = writeBlocks(splitIntoBlocks(item.children));
    if (blocks.includes(null)) return null;
    return prefixLines(blocks.join(isLoose ? '\n\n' : '\n'), marker, ' '.repeat(marker.length));
  });
  return written.includes(null) ? null : written.join(isLoose ? '\n\n' : '\n');
}

function writeCodeBlock(children: readonly HtmlNode[]): string | null {
  const [only, ...others] = children;
  if (only === undefined || others.length > 0) return null;
  const text = typeof only === 'string' ? only : only.tag === 'code' ? getOnlyText(only) : null;
  if (text === null) return null;
  const fence = '`'.repeat(Math.max(3, getLongestBacktickRun(text) + 1));
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function getOnlyText({ children }: HtmlElement): string | null {
  return children.every((each) => typeof each === 'string') ? children.join('') : null;
}

function getLongestBacktickRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function writeTable(table: HtmlElement): string | null {
  const rows = table.children.flatMap((section) =>
    typeof section === 'string' || !['thead', 'tbody'].includes(section.tag) ? [] : section.children,
  );
  const written = rows.flatMap((row) => {
    if (typeof row === 'string') return row.trim() === '' ? [] : [null];
    const cells = row.children.filter((cell) => typeof cell !== 'string' || cell.trim() !== '');
    const texts = cells.map((cell) => (typeof cell === 'string' ? null : writeInline(cell.children)));
    return texts.some((text) => text === null || text.includes('\n')) ? [null] : [texts as string[]];
  });
  const [head, ...body] = written;
  if (!head || body.includes(null)) return null;
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...(body as string[][])].map(toLine).join('\n');
}

const inlineMarkers: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*', s: '~~' };

function writeInline(nodes: readonly HtmlNode[]): string | null {
  const written = nodes.map(writeInlineNode);
  if (written.includes(null)) return null;
  return written
    .join('')
    .trim()
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=#>]/, '\\$&');
}

function writeInlineNode(node: HtmlNode): string | null {
  if (typeof node === 'string') return escapeMarkdown(node);
  const { tag, attributes, children } = node;
  if (tag === 'img') return `![${escapeMarkdown(attributes.alt ?? '')}](${attributes.src})`;
  if (tag === 'br') return '\\\n';
  if (isBlock(node)) return null;
  if (tag === 'code') return writeInlineCode(getOnlyText(node));
  const inner = children.map(writeInlineNode);
  if (inner.includes(null)) return null;
  const text = inner.join('');
  const mark = inlineMarkers[tag];
  if (mark !== undefined) return `${mark}${text}${mark}`;
  const { href, title } = attributes;
  if (tag !== 'a' || href === undefined) return `<${tag}${writeAttributes(attributes)}>${text}</${tag}>`;
  const quoted = title === undefined ? '' : ` "${title.replace(/[\\"&]/g, '\\$&')}"`;
  return `[${text}](<${href.replace(/[\\<>&]/g, '\\$&')}>${quoted})`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, ' ').replace(/[\\`*_[\]<>&~|!]/g, '\\$&');
}

function writeInlineCode(text: string | null): string | null {
  if (text === null || text.includes('\n')) return null;
  const fence = '`'.repeat(getLongestBacktickRun(text) + 1);
  return /^[` ]|[` ]$/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
