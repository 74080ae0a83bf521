import { balanceRichText } from '../../kernel/rich-text/balanced.ts';
import { plainText } from '../../kernel/rich-text/plain-text.ts';
import { findLinks } from './find-links.ts';

/** A plain text whose web addresses are links. */
export function LinkedText({ text }: { text: string }) {
  return (
    <>
      {findLinks(text).map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <a href={piece.href} rel="noopener noreferrer nofollow" target="_blank">
            {piece.href}
          </a>
        ),
      )}
    </>
  );
}

/** A stored description: HTML, or plain text in the lines that it was written in. */
export function RichText({ html, class: className = '' }: { html: string; class?: string }) {
  if (!html.includes('<')) {
    return (
      <div class={`rich text ${className}`}>
        <LinkedText text={plainText(html)} />
      </div>
    );
  }
  return (
    <div
      class={`rich ${className}`}
      // Sanitised when it was stored, and paired here, so that it stays inside of this element.
      dangerouslySetInnerHTML={{ __html: balanceRichText(html) }}
    />
  );
}
