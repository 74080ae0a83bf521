import { buildAttachmentUrl, parseAttachmentUrl } from '../../../kernel/rich-text/attachment-images.ts';
import { rewriteMarkup } from '../../../kernel/rich-text/rich-text.ts';

/** ProseMirror stores the context of a copied slice in this attribute. */
const SLICE_ATTRIBUTE = 'data-pm-slice';

/**
 * Removes inline handlers and styles. Must run before parsing, because browsers compile them even in documents that are
 * never displayed, and report violations of the content security policy.
 */
export function toInertMarkup(html: string, filesUrl?: string): string {
  return rewriteMarkup(html, {
    // Keeps unsafe tags, because the schema needs to know which of them were blocks before it drops them.
    tag: (name) => /^[a-z][a-z0-9]*$/.test(name),
    attribute(tag, name, value) {
      if (tag === 'img' && name === 'src') return toImageSource(value, filesUrl);
      if (tag === 'img' && name === 'alt') return `alt="${value.replaceAll('"', '&quot;')}"`;
      const isRead = name === SLICE_ATTRIBUTE || (tag === 'a' && (name === 'href' || name === 'title'));
      return isRead ? `${name}="${value.replaceAll('"', '&quot;')}"` : null;
    },
  });
}

/** Keeps only references to attachments, and turns the URL of one of the task's files into a reference. */
function toImageSource(value: string, filesUrl: string | undefined): string | null {
  const url = URL.parse(value, location.href);
  const isFile = filesUrl !== undefined && url?.origin === location.origin;
  const file =
    isFile && url.pathname.startsWith(`${filesUrl}/`) ? url.pathname.slice(filesUrl.length + 1) : '';
  const id = parseAttachmentUrl(value) ?? parseAttachmentUrl(`attachment:${file}`);
  return id === null ? null : `src="${buildAttachmentUrl(id)}"`;
}

export function parseInertMarkup(html: string): HTMLElement {
  const { body } = document.implementation.createHTMLDocument('');
  body.innerHTML = toInertMarkup(html);
  return body;
}
