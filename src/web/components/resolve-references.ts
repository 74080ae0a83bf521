import { parseAttachmentUrl } from '../../kernel/rich-text/attachment-images.ts';
import { readTokens } from '../../kernel/rich-text/html-tokens.ts';
import { findLinks } from './find-links.ts';

interface ReferenceWriter {
  /** Returns the HTML of an image. `alt` is escaped. */
  image(id: number, alt: string, isInLink: boolean): string;
  /** Returns the HTML of the name of the task to which the URL leads, or null if it leads elsewhere. */
  taskName(url: string): string | null;
}

/** In these elements, URLs in text stay as they are. */
const verbatimTags = new Set(['a', 'pre', 'code']);

/** Replaces images, and the text of links to tasks. Expects sanitized HTML whose tags are balanced. */
export function resolveReferences(html: string, writer: ReferenceWriter): string {
  const written: string[] = [];
  let copied = 0;
  let verbatimDepth = 0;
  let tag = { name: '', from: 0 };
  let attribute = '';
  let attributes: Record<string, string> = {};
  let link: { href: string; from: number } | null = null;
  const replace = (from: number, to: number, text: string) => {
    written.push(html.slice(copied, from), text);
    copied = to;
  };
  const endTag = (end: number) => {
    if (tag.name === 'img') {
      const id = parseAttachmentUrl(attributes.src ?? '');
      if (id !== null) replace(tag.from, end, writer.image(id, attributes.alt ?? '', link !== null));
    }
    if (verbatimTags.has(tag.name)) verbatimDepth += 1;
    if (tag.name === 'a') link = { href: decodeUrl(attributes.href ?? ''), from: end };
  };
  readTokens(
    html,
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        tag = { name: html.slice(start, end), from: start - 1 };
        attributes = {};
      },
      onattribname(start, end) {
        attribute = html.slice(start, end);
      },
      onattribdata(start, end) {
        attributes[attribute] ??= html.slice(start, end);
      },
      onopentagend: (end) => endTag(end + 1),
      onselfclosingtag: (end) => endTag(end + 1),
      onclosetag(start, end) {
        const name = html.slice(start, end);
        if (verbatimTags.has(name)) verbatimDepth -= 1;
        if (name !== 'a' || link === null) return;
        const { href, from } = link;
        const taskName = decodeUrl(html.slice(from, start - 2)) === href ? writer.taskName(href) : null;
        if (taskName !== null) replace(from, start - 2, taskName);
        link = null;
      },
      ontext(start, end) {
        if (verbatimDepth > 0 || html.slice(start, end).indexOf('://') < 0) return;
        let at = start;
        for (const piece of findLinks(html.slice(start, end))) {
          const text = typeof piece === 'string' ? piece : piece.href;
          const taskName = typeof piece === 'string' ? null : writer.taskName(decodeUrl(text));
          if (taskName !== null) replace(at, at + text.length, `<a href="${text}">${taskName}</a>`);
          at += text.length;
        }
      },
    },
  );
  written.push(html.slice(copied));
  return written.join('');
}

function decodeUrl(text: string): string {
  return text.trim().replaceAll('&amp;', '&');
}
