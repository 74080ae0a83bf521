import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { SAFE_LINK } from '../../../kernel/rich-text/safe-attribute.ts';
import { type BlockTag, blockTags, type InlineTag, inlineTags } from '../../../kernel/rich-text/safe-tags.ts';

/** Text next to blocks is wrapped in a `line`, which has no tag. */
const MIXED_CONTENT = '(line | block)+';
const blockTagSelector = blockTags.filter((tag) => tag !== 'br').join();

function isListItem(element: HTMLElement): boolean {
  return element.parentElement?.matches('ul, ol') === true;
}

function isList(element: HTMLElement): boolean {
  const { childNodes, children } = element;
  return (
    children.length > 0 &&
    [...children].every(({ localName }) => localName === 'li') &&
    [...childNodes].every((each) => !(each instanceof Text) || /^[ \t\r\n\f]*$/.test(each.data))
  );
}

function buildBlock(
  tag: BlockTag,
  spec: NodeSpec,
  isRegular: (element: HTMLElement) => boolean = () => true,
): NodeSpec {
  const hole: DOMOutputSpec = spec.content === undefined ? [tag] : [tag, 0];
  return {
    ...spec,
    parseDOM: [{ tag, getAttrs: (element) => (isRegular(element) ? null : false) }],
    toDOM: () => hole,
  };
}

/** If an element contains blocks, as in older text, it becomes a `box` node. */
const buildTextBlock = (tag: BlockTag, spec: NodeSpec = {}) =>
  buildBlock(
    tag,
    { group: 'block', content: 'inline*', defining: true, ...spec },
    (element) => element.querySelector(blockTagSelector) === null,
  );
const buildList = (tag: 'ul' | 'ol') => buildBlock(tag, { group: 'block', content: 'li+' }, isList);
const buildCell = (tag: 'th' | 'td') => buildBlock(tag, { content: MIXED_CONTENT, isolating: true });

const blockNodes: Record<BlockTag, NodeSpec> = {
  p: buildTextBlock('p', { defining: false }),
  h1: buildTextBlock('h1'),
  h2: buildTextBlock('h2'),
  h3: buildTextBlock('h3'),
  h4: buildTextBlock('h4'),
  h5: buildTextBlock('h5'),
  h6: buildTextBlock('h6'),
  pre: buildTextBlock('pre', { code: true }),
  br: buildBlock('br', { group: 'inline', inline: true, selectable: false, linebreakReplacement: true }),
  hr: buildBlock('hr', { group: 'block' }),
  blockquote: buildBlock('blockquote', { group: 'block', content: MIXED_CONTENT, defining: true }),
  div: buildBlock('div', { group: 'block', content: MIXED_CONTENT }),
  ul: buildList('ul'),
  ol: buildList('ol'),
  li: buildBlock('li', { content: MIXED_CONTENT, defining: true }, isListItem),
  table: buildBlock('table', { group: 'block', content: '(thead | tbody)*', isolating: true }),
  thead: buildBlock('thead', { content: 'tr*' }),
  tbody: buildBlock('tbody', { content: 'tr*' }),
  tr: buildBlock('tr', { content: '(th | td)*' }),
  th: buildCell('th'),
  td: buildCell('td'),
};

function buildMark(tag: InlineTag): MarkSpec {
  return { parseDOM: [{ tag }], toDOM: () => [tag, 0] };
}

/** The sanitizer leaves an empty `href` for unsafe links. */
const linkMark: MarkSpec = {
  attrs: { href: { default: null }, title: { default: null } },
  inclusive: false,
  parseDOM: [
    {
      tag: 'a',
      getAttrs: (element) => {
        const href = element.getAttribute('href');
        const isSafe = href === '' || (href !== null && SAFE_LINK.test(href));
        return { href: isSafe ? href : null, title: element.getAttribute('title') };
      },
    },
  ],
  toDOM: ({ attrs }) => ['a', { ...attrs }, 0],
};

/**
 * Supports exactly the tags and attributes that the sanitizer allows. An element whose content doesn't fit the node for
 * its tag becomes a `box`.
 */
export const schema = new Schema({
  nodes: {
    doc: { content: MIXED_CONTENT, attrs: { isPlain: { default: false } } },
    text: { group: 'inline' },
    line: {
      content: 'inline*',
      parseDOM: [{ tag: 'div.line', priority: 60 }],
      toDOM: () => ['div', { class: 'line' }, 0],
    },
    ...blockNodes,
    box: {
      group: 'block',
      content: '(line | block | li)*',
      attrs: { tag: { validate: 'string' } },
      parseDOM: blockTags.map((tag) => ({
        tag,
        priority: 40,
        attrs: { tag },
        ...(tag === 'pre' && { preserveWhitespace: 'full' as const }),
      })),
      toDOM: ({ attrs }) => [attrs.tag, 0],
    },
  },
  marks: Object.fromEntries(inlineTags.map((tag) => [tag, tag === 'a' ? linkMark : buildMark(tag)])),
});
