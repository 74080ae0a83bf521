import { readTokens } from './html-tokens.ts';
import { toSafeAttribute, toSafeImageAttribute } from './safe-attribute.ts';
import { safeTags } from './safe-tags.ts';

const codeTags = new Set(['script', 'style']);
const removedTags = new Set(['iframe', 'object', 'template', 'noscript']);

interface MarkupFilter {
  tag(name: string): boolean;
  attribute(tag: string, name: string, value: string): string | null;
  /** Returns the attributes of an `img` that is kept although `tag` doesn't allow it, or null. */
  image?(attributes: readonly string[]): readonly string[] | null;
}

/**
 * Keeps safe tags and all text, except the content of elements such as scripts. `balanceRichText` closes open tags when
 * the text is rendered.
 */
export function sanitizeRichText(html: string): string {
  return rewriteMarkup(html, {
    tag: (name) => safeTags.has(name),
    attribute(tag, name, value) {
      if (tag === 'img') return toSafeImageAttribute(name, value);
      return tag === 'a' ? toSafeAttribute(name, value) : null;
    },
    image: toImageAttributes,
  });
}

/** Keeps only images that are attachments, and writes all of them in the same form. */
function toImageAttributes(attributes: readonly string[]): readonly string[] | null {
  const source = attributes.find((each) => each.startsWith('src='));
  return source ? [source, attributes.find((each) => each.startsWith('alt=')) ?? 'alt=""'] : null;
}

/** Builds new HTML from the tokens, so that anything the tokenizer didn't understand is dropped. */
export function rewriteMarkup(html: string, kept: MarkupFilter): string {
  const written: string[] = [];
  let tag = '';
  let attributes: string[] = [];
  let attribute = { name: '', value: '' };
  let isCode = false;
  let removedElement: { name: string; depth: number; from: number } | null = null;
  let text = { start: 0, end: 0 };

  const writeText = () => {
    if (text.start < text.end) written.push(escapeText(html.slice(text.start, text.end)));
    text = { start: 0, end: 0 };
  };
  const openTag = (end: '>' | ' />') => {
    writeText();
    const image = tag === 'img' ? kept.image?.(attributes) : null;
    if (codeTags.has(tag)) isCode = true;
    else if (kept.tag(tag)) written.push(`<${[tag, ...attributes].join(' ')}${end}`);
    else if (image) written.push(`<${[tag, ...image].join(' ')}>`);
    else if (removedElement?.name === tag) removedElement.depth += 1;
    else if (removedTags.has(tag)) removedElement ??= { name: tag, depth: 1, from: written.length };
  };
  const closeTag = (name: string) => {
    writeText();
    isCode = false;
    if (kept.tag(name)) written.push(`</${name}>`);
    if (removedElement?.name !== name) return;
    removedElement.depth -= 1;
    if (removedElement.depth > 0) return;
    written.length = removedElement.from;
    removedElement = null;
  };
  const getNameAt = (start: number, end: number) => html.slice(start, end).toLowerCase();

  readTokens(
    html,
    { decodeEntities: false },
    {
      ontext(start, end) {
        if (isCode) return;
        // The tokenizer splits text at unmatched brackets, so this joins adjacent pieces.
        if (start !== text.end) {
          writeText();
          text.start = start;
        }
        text.end = end;
      },
      onopentagname(start, end) {
        tag = getNameAt(start, end);
        attributes = [];
      },
      onattribname(start, end) {
        attribute = { name: getNameAt(start, end), value: '' };
      },
      onattribdata(start, end) {
        attribute.value = html.slice(start, end);
      },
      onattribend() {
        const text = kept.attribute(tag, attribute.name, attribute.value);
        if (text !== null) attributes.push(text);
      },
      onopentagend: () => openTag('>'),
      onselfclosingtag: () => openTag(' />'),
      onclosetag: (start, end) => closeTag(getNameAt(start, end)),
    },
  );
  writeText();
  return written.join('');
}

function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
