import { type HtmlNode, isBlock, splitIntoBlocks } from './html-tree.ts';

/**
 * Returns whether two documents look the same. Ignores the amount of white space, and differences between equivalent
 * tags.
 */
export function isSameHtml(one: readonly HtmlNode[], other: readonly HtmlNode[]): boolean {
  return normalizeBlocks(one) === normalizeBlocks(other);
}

const equivalentTags: Readonly<Record<string, string>> = { b: 'strong', i: 'em' };
/** Text directly inside these elements is a paragraph. */
const containerTags = new Set(['blockquote', 'div']);

function normalizeBlocks(nodes: readonly HtmlNode[]): string {
  return splitIntoBlocks(nodes)
    .map((block) => ('tag' in block ? normalizeNode(block) : `<p>${normalizeInline(block)}</p>`))
    .join('');
}

function normalizeInline(nodes: readonly HtmlNode[]): string {
  return nodes
    .map(normalizeNode)
    .join('')
    .replace(/ *<br> */g, '<br>')
    .trim();
}

function normalizeNode(node: HtmlNode): string {
  if (typeof node === 'string') return escapeText(node.replace(/[ \t\r\n\f]+/g, ' '));
  const { children, attributes } = node;
  const tag = equivalentTags[node.tag] ?? node.tag;
  if (tag === 'br' || tag === 'hr') return `<${tag}>`;
  if (tag === 'pre') return `<pre>${normalizeCode(children)}</pre>`;
  const names = Object.keys(attributes).sort();
  const shown = names.map((name) => ` ${name}="${escapeText(attributes[name] ?? '')}"`).join('');
  return `<${tag}${shown}>${normalizeChildren(tag, children)}</${tag}>`;
}

function normalizeChildren(tag: string, children: readonly HtmlNode[]): string {
  if (containerTags.has(tag)) return normalizeBlocks(children);
  if (tag === 'li') {
    const text = normalizeBlocks(children);
    const paragraphs = children.filter((each) => isBlock(each) && each.tag === 'p');
    return paragraphs.length > 1 ? text : text.replace(/^<p>(.*?)<\/p>/s, '$1');
  }
  if (children.some(isBlock)) return normalizeBlocks(children);
  return isBlock({ tag, attributes: {}, children: [] })
    ? normalizeInline(children)
    : children.map(normalizeNode).join('');
}

/** Ignores a nested `code` element and the last line break, because neither changes how a code block looks. */
function normalizeCode(children: readonly HtmlNode[]): string {
  const [only, ...others] = children;
  const content =
    typeof only === 'object' && only.tag === 'code' && others.length === 0 ? only.children : children;
  return content
    .map((each) => (typeof each === 'string' ? escapeText(each) : normalizeNode(each)))
    .join('')
    .replace(/\n$/, '');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
