import { rewriteMarkup } from '../../../kernel/rich-text/rich-text.ts';

/** The attribute in which ProseMirror stores the context of a copied slice. */
const SLICE = 'data-pm-slice';

/**
 * Removes handlers, styles and addresses to load. Browsers compile handlers and styles even in documents that are never
 * shown, and report them as policy violations, so they must be removed before parsing.
 */
export function toInertMarkup(html: string): string {
  return rewriteMarkup(html, {
    // The schema drops unsafe tags, but needs to know which were blocks.
    tag: (name) => /^[a-z][a-z0-9]*$/.test(name),
    attribute(tag, name, value) {
      const isRead = name === SLICE || (tag === 'a' && (name === 'href' || name === 'title'));
      return isRead ? `${name}="${value.replaceAll('"', '&quot;')}"` : null;
    },
  });
}

/** Parses markup into a document without a window. */
export function parseInert(html: string): HTMLElement {
  const { body } = document.implementation.createHTMLDocument('');
  body.innerHTML = toInertMarkup(html);
  return body;
}
