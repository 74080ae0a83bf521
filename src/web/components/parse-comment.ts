import MarkdownIt, { type StateInline, type Token } from 'markdown-it';
import {
  type AttachmentImage,
  IMAGE_MARKDOWN_PATTERN,
  splitAtImages,
} from '../../kernel/rich-text/attachment-images.ts';

export type CommentTag =
  | 'p'
  | 'strong'
  | 'em'
  | 's'
  | 'code'
  | 'pre'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'a';

interface CommentImage extends AttachmentImage {
  readonly tag: 'img';
}

export type CommentNode =
  | string
  | CommentImage
  | {
      readonly tag: CommentTag;
      readonly children: readonly CommentNode[];
      readonly href?: string;
      readonly start?: number;
    };

const parser = new MarkdownIt('zero', { maxNesting: 20 }).enable([
  'backticks',
  'balance_pairs',
  'blockquote',
  'emphasis',
  'fence',
  'heading',
  'link',
  'list',
  'strikethrough',
]);
parser.validateLink = (href) => /^(?:https?:\/\/|mailto:)/i.test(href);
// Leaves marks inside words as text, as in 2*3*4, __init__.py and C:\_cache_\x.
parser.inline.State = class extends parser.inline.State {
  override scanDelims(start: number) {
    const run = super.scanDelims(start, false);
    if (this.src[start] !== '_') return run;
    const isSpaced = start === 0 || /\s/.test(this.src[start - 1] ?? '');
    const isSingle = run.length === 1;
    return {
      ...run,
      can_open: run.can_open && isSingle && isSpaced,
      can_close: run.can_close && isSingle,
    };
  }
};
parser.inline.ruler.before('link', 'verbatim', keepVerbatim);
parser.inline.ruler.before('link', 'attachment', parseImage);

const MENTION_PATTERN = /@\[usr_[\w-]{1,60}\]/y;
const URL_REMAINDER_PATTERN = /:\/\/[^\s<>"]+/y;
const URL_SCHEME_PATTERN = /(?<![\p{L}\p{N}_])https?$/iu;

/** Leaves marks inside mentions and URLs as text. */
function keepVerbatim(state: StateInline, isSilent: boolean): boolean {
  const isUrl = state.src[state.pos] === ':';
  if (isUrl && !URL_SCHEME_PATTERN.test(state.pending)) return false;
  const pattern = isUrl ? URL_REMAINDER_PATTERN : MENTION_PATTERN;
  pattern.lastIndex = state.pos;
  const [match] = pattern.exec(state.src.slice(0, state.posMax)) ?? [];
  if (match === undefined) return false;
  if (!isSilent) state.pending += match;
  state.pos += match.length;
  return true;
}

const IMAGE_AT_POSITION_PATTERN = new RegExp(IMAGE_MARKDOWN_PATTERN.source, 'y');

/** Only attachments become images. Other images are displayed as links. */
function parseImage(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '!') return false;
  IMAGE_AT_POSITION_PATTERN.lastIndex = state.pos;
  const [match] = IMAGE_AT_POSITION_PATTERN.exec(state.src.slice(0, state.posMax)) ?? [];
  if (match === undefined) return false;
  if (!isSilent) state.push('attachment', 'img', 0).content = match;
  state.pos += match.length;
  return true;
}

/** Text that doesn't match has no formatting and isn't parsed. */
const MARKDOWN_PATTERN = /[*_~`[]|^\s*(?:[-+>#]|\d+[.)])/m;

/**
 * Comments are stored as typed and displayed as Markdown, but HTML, escapes and entities are displayed as text. Returns
 * null if the text has no formatting.
 */
export function parseComment(text: string): readonly CommentNode[] | null {
  if (!MARKDOWN_PATTERN.test(text)) return null;
  const nodes = buildNodes(parser.parse(text, {}));
  return nodes.every((node) => typeof node !== 'string' && isPlainParagraph(node)) ? null : nodes;
}

function isPlainParagraph(node: Exclude<CommentNode, string>): boolean {
  return node.tag === 'p' && node.children.every((child) => typeof child === 'string');
}

function buildNodes(tokens: readonly Token[]): CommentNode[] {
  const root: CommentNode[] = [];
  const openElements: CommentNode[][] = [root];
  for (const token of tokens) {
    const siblings = openElements.at(-1) ?? root;
    if (token.nesting === 0) siblings.push(...buildLeafNodes(token));
    else if (token.nesting === -1) openElements.pop();
    else if (token.hidden) openElements.push(siblings);
    else {
      const children: CommentNode[] = [];
      siblings.push(buildNode(token, children));
      openElements.push(children);
    }
  }
  return root;
}

function buildLeafNodes({ type, content, children }: Token): CommentNode[] {
  if (type === 'inline') return buildNodes(children ?? []);
  if (type === 'attachment') return splitAtImages(content).map(buildImageNode);
  if (type === 'fence') return [{ tag: 'pre', children: [content.replace(/\n$/, '')] }];
  return [type === 'code_inline' ? { tag: 'code', children: [content] } : content];
}

function buildImageNode(piece: string | AttachmentImage): CommentNode {
  return typeof piece === 'string' ? piece : { tag: 'img', ...piece };
}

function buildNode(token: Token, children: CommentNode[]): CommentNode {
  const { tag } = token;
  if (/^h\d$/.test(tag)) return { tag: 'p', children: [{ tag: 'strong', children }] };
  if (tag === 'a') return { tag, children, href: String(token.attrGet('href') ?? '') };
  if (tag === 'ol') return { tag, children, start: Number(token.attrGet('start') ?? 1) };
  return { tag: tag as CommentTag, children };
}
