import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { buildAttachmentUrl, parseAttachmentUrl } from '../../../kernel/rich-text/attachment-images.ts';
import { SAFE_LINK } from '../../../kernel/rich-text/safe-attribute.ts';
import { type BlockTag, blockTags, type InlineTag, inlineTags } from '../../../kernel/rich-text/safe-tags.ts';

/** Text next to blocks is wrapped in a `line` node, which is serialized without a tag. */
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

function buildBlockSpec(
  tag: BlockTag,
  spec: NodeSpec,
  isRegular: (element: HTMLElement) => boolean = () => true,
): NodeSpec {
  const output: DOMOutputSpec = spec.content === undefined ? [tag] : [tag, 0];
  return {
    ...spec,
    parseDOM: [{ tag, getAttrs: (element) => (isRegular(element) ? null : false) }],
    toDOM: () => output,
  };
}

/** If an element contains blocks, as in older text, it becomes a `box` node. */
const buildTextBlockSpec = (tag: BlockTag, spec: NodeSpec = {}) =>
  buildBlockSpec(
    tag,
    { group: 'block', content: 'inline*', defining: true, ...spec },
    (element) => element.querySelector(blockTagSelector) === null,
  );
const buildListSpec = (tag: 'ul' | 'ol') => buildBlockSpec(tag, { group: 'block', content: 'li+' }, isList);
const buildCellSpec = (tag: 'th' | 'td') => buildBlockSpec(tag, { content: MIXED_CONTENT, isolating: true });

const blockNodes: Record<BlockTag, NodeSpec> = {
  p: buildTextBlockSpec('p', { defining: false }),
  h1: buildTextBlockSpec('h1'),
  h2: buildTextBlockSpec('h2'),
  h3: buildTextBlockSpec('h3'),
  h4: buildTextBlockSpec('h4'),
  h5: buildTextBlockSpec('h5'),
  h6: buildTextBlockSpec('h6'),
  pre: buildTextBlockSpec('pre', { code: true }),
  br: buildBlockSpec('br', { group: 'inline', inline: true, selectable: false, linebreakReplacement: true }),
  hr: buildBlockSpec('hr', { group: 'block' }),
  blockquote: buildBlockSpec('blockquote', { group: 'block', content: MIXED_CONTENT, defining: true }),
  div: buildBlockSpec('div', { group: 'block', content: MIXED_CONTENT }),
  ul: buildListSpec('ul'),
  ol: buildListSpec('ol'),
  li: buildBlockSpec('li', { content: MIXED_CONTENT, defining: true }, isListItem),
  table: buildBlockSpec('table', { group: 'block', content: '(thead | tbody)*', isolating: true }),
  thead: buildBlockSpec('thead', { content: 'tr*' }),
  tbody: buildBlockSpec('tbody', { content: 'tr*' }),
  tr: buildBlockSpec('tr', { content: '(th | td)*' }),
  th: buildCellSpec('th'),
  td: buildCellSpec('td'),
};

function buildMarkSpec(tag: InlineTag): MarkSpec {
  return { parseDOM: [{ tag }], toDOM: () => [tag, 0] };
}

/** The sanitizer leaves an empty `href` for unsafe links. */
const linkMarkSpec: MarkSpec = {
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
    img: {
      group: 'inline',
      inline: true,
      draggable: true,
      attrs: { attachment: { validate: 'number' }, alt: { default: '', validate: 'string' } },
      leafText: ({ attrs }) => attrs.alt,
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs(element) {
            const attachment = parseAttachmentUrl(element.getAttribute('src') ?? '');
            return attachment === null ? false : { attachment, alt: element.getAttribute('alt') ?? '' };
          },
        },
      ],
      toDOM: ({ attrs }) => ['img', { src: buildAttachmentUrl(attrs.attachment), alt: attrs.alt }],
    },
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
  marks: Object.fromEntries(inlineTags.map((tag) => [tag, tag === 'a' ? linkMarkSpec : buildMarkSpec(tag)])),
});
