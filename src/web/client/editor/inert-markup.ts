import { rewriteMarkup } from '../../../kernel/rich-text/rich-text.ts';

/** ProseMirror stores the context of a copied slice in this attribute. */
const SLICE_ATTRIBUTE = 'data-pm-slice';

/**
 * Removes inline handlers and styles. Must run before parsing, because browsers compile them even in documents that are
 * never displayed, and report violations of the content security policy.
 */
export function toInertMarkup(html: string): string {
  return rewriteMarkup(html, {
    // Keeps unsafe tags, because the schema needs to know which of them were blocks before it drops them.
    tag: (name) => /^[a-z][a-z0-9]*$/.test(name),
    attribute(tag, name, value) {
      const isRead = name === SLICE_ATTRIBUTE || (tag === 'a' && (name === 'href' || name === 'title'));
      return isRead ? `${name}="${value.replaceAll('"', '&quot;')}"` : null;
    },
  });
}

export function parseInertMarkup(html: string): HTMLElement {
  const { body } = document.implementation.createHTMLDocument('');
  body.innerHTML = toInertMarkup(html);
  return body;
}
