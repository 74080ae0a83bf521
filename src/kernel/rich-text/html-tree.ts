import { readTokens } from './html-tokens.ts';
import { blockTags, voidTags } from './safe-tags.ts';

export interface HtmlElement {
  tag: string;
  attributes: Record<string, string>;
  children: HtmlNode[];
}
/** Entities in text and attribute values are decoded. */
export type HtmlNode = HtmlElement | string;

/** Elements below this depth become children of the deepest allowed element. */
const ELEMENT_DEPTH_MAX = 60;

export function parseHtmlTree(html: string): HtmlNode[] {
  const root: HtmlElement = { tag: '', attributes: {}, children: [] };
  const open: HtmlElement[] = [root];
  let element: HtmlElement = root;
  let attribute = '';
  const append = (text: string) => {
    const children = open.at(-1)?.children ?? [];
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + text;
    else children.push(text);
  };
  const addElement = (isClosed: boolean) => {
    open.at(-1)?.children.push(element);
    if (!isClosed && open.length <= ELEMENT_DEPTH_MAX) open.push(element);
  };
  readTokens(
    html,
    { decodeEntities: true },
    {
      ontext: (start, end) => append(html.slice(start, end)),
      ontextentity: (code) => append(String.fromCodePoint(code)),
      onopentagname(start, end) {
        element = { tag: html.slice(start, end).toLowerCase(), attributes: {}, children: [] };
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
        element.attributes[attribute] = '';
      },
      onattribdata(start, end) {
        element.attributes[attribute] += html.slice(start, end);
      },
      onattribentity(code) {
        element.attributes[attribute] += String.fromCodePoint(code);
      },
      onopentagend: () => addElement(voidTags.has(element.tag)),
      // Browsers read `<div />` as a start tag.
      onselfclosingtag: () => addElement(voidTags.has(element.tag)),
      onclosetag(start, end) {
        const name = html.slice(start, end).toLowerCase();
        const at = open.findLastIndex(({ tag }) => tag === name);
        if (at > 0) open.length = at;
      },
    },
  );
  return root.children;
}

const escapedCharacters: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Writes a single line, because a blank line would end raw HTML in Markdown. */
export function writeHtmlLine(node: HtmlNode): string {
  if (typeof node === 'string') return node.replace(/[&<>\n]/g, (each) => escapedCharacters[each] ?? each);
  const { tag, attributes, children } = node;
  const open = `<${tag}${writeAttributes(attributes)}>`;
  return voidTags.has(tag) ? open : `${open}${children.map(writeHtmlLine).join('')}</${tag}>`;
}

export function writeAttributes(attributes: HtmlElement['attributes']): string {
  return Object.entries(attributes)
    .map(
      ([name, value]) =>
        ` ${name}="${value.replace(/[&<>"\n]/g, (each) => escapedCharacters[each] ?? each)}"`,
    )
    .join('');
}

const blockElements: ReadonlySet<string> = new Set(blockTags.filter((tag) => tag !== 'br'));

export function isBlock(node: HtmlNode): node is HtmlElement {
  return typeof node !== 'string' && blockElements.has(node.tag);
}

export type HtmlBlock = HtmlElement | readonly HtmlNode[];

export function splitIntoBlocks(nodes: readonly HtmlNode[]): HtmlBlock[] {
  const blocks: (HtmlElement | HtmlNode[])[] = [];
  for (const node of nodes) {
    if (isBlock(node)) blocks.push(node);
    else {
      const last = blocks.at(-1);
      if (Array.isArray(last)) last.push(node);
      else blocks.push([node]);
    }
  }
  return blocks.filter(
    (block) => !Array.isArray(block) || block.some((node) => typeof node !== 'string' || node.trim() !== ''),
  );
}
