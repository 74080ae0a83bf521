import { balanceRichText } from '../../kernel/rich-text/balance-rich-text.ts';
import { toPlainText } from '../../kernel/rich-text/plain-text.ts';
import { findLinks } from './find-links.ts';

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

export function RichText({ html, class: className = '' }: { html: string; class?: string }) {
  if (!html.includes('<')) {
    return (
      <div class={`rich text ${className}`}>
        <LinkedText text={toPlainText(html)} />
      </div>
    );
  }
  return (
    <div
      class={`rich ${className}`}
      // The HTML was sanitized when it was stored. Balancing its tags keeps it inside this element.
      dangerouslySetInnerHTML={{ __html: balanceRichText(html) }}
    />
  );
}
