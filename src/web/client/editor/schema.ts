import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { SAFE_LINK } from '../../../kernel/rich-text/safe-attribute.ts';
import { type BlockTag, blockTags, type InlineTag, inlineTags } from '../../../kernel/rich-text/safe-tags.ts';

/** Text next to blocks is wrapped in a `line`, which has no tag. */
const MIXED = '(line | block)+';
const blocksWithin = blockTags.filter((tag) => tag !== 'br').join();

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

/** Elements that fail the test become boxes. */
function block(
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

/** Inline content only. Elements with blocks inside, as in older texts, become boxes. */
const writing = (tag: BlockTag, spec: NodeSpec = {}) =>
  block(
    tag,
    { group: 'block', content: 'inline*', defining: true, ...spec },
    (element) => element.querySelector(blocksWithin) === null,
  );
const list = (tag: 'ul' | 'ol') => block(tag, { group: 'block', content: 'li+' }, isList);
const cell = (tag: 'th' | 'td') => block(tag, { content: MIXED, isolating: true });

const blocks: Record<BlockTag, NodeSpec> = {
  p: writing('p', { defining: false }),
  h1: writing('h1'),
  h2: writing('h2'),
  h3: writing('h3'),
  h4: writing('h4'),
  h5: writing('h5'),
  h6: writing('h6'),
  pre: writing('pre', { code: true }),
  br: block('br', { group: 'inline', inline: true, selectable: false, linebreakReplacement: true }),
  hr: block('hr', { group: 'block' }),
  blockquote: block('blockquote', { group: 'block', content: MIXED, defining: true }),
  div: block('div', { group: 'block', content: MIXED }),
  ul: list('ul'),
  ol: list('ol'),
  li: block('li', { content: MIXED, defining: true }, isListItem),
  table: block('table', { group: 'block', content: '(thead | tbody)*', isolating: true }),
  thead: block('thead', { content: 'tr*' }),
  tbody: block('tbody', { content: 'tr*' }),
  tr: block('tr', { content: '(th | td)*' }),
  th: cell('th'),
  td: cell('td'),
};

function mark(tag: InlineTag): MarkSpec {
  return { parseDOM: [{ tag }], toDOM: () => [tag, 0] };
}

/** The sanitizer leaves an empty `href` for unsafe links. */
const link: MarkSpec = {
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
 * Supports exactly the tags and attributes of the sanitizer. An element whose content its node rejects becomes a `box`.
 */
export const schema = new Schema({
  nodes: {
    doc: { content: MIXED, attrs: { isPlain: { default: false } } },
    text: { group: 'inline' },
    line: {
      content: 'inline*',
      parseDOM: [{ tag: 'div.line', priority: 60 }],
      toDOM: () => ['div', { class: 'line' }, 0],
    },
    ...blocks,
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
  marks: Object.fromEntries(inlineTags.map((tag) => [tag, tag === 'a' ? link : mark(tag)])),
});
