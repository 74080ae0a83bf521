import { rewriteMarkup } from '../../../kernel/rich-text/rich-text.ts';

/** Where ProseMirror notes which nodes a copied slice was cut from. */
const SLICE = 'data-pm-slice';

/**
 * Markup without handlers, styles and addresses to load. A browser compiles handlers and styles even in documents that are
 * never shown, and reports them to the policy of the page, so they must go before it parses anything.
 */
export function inertMarkup(html: string): string {
  return rewriteMarkup(html, {
    // The schema drops unsafe tags, and still needs to see which of them were blocks.
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
  body.innerHTML = inertMarkup(html);
  return body;
}
