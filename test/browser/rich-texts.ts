// Generates sanitized HTML, and has the editor parse and serialize it.
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { sanitizeRichText } from '../../src/kernel/rich-text/rich-text.ts';
import { blockTags, inlineTags, safeTags } from '../../src/kernel/rich-text/safe-tags.ts';

const openingTag = fc.oneof(
  fc.constantFrom(...blockTags, ...inlineTags).map((tag) => `<${tag}>`),
  fc.constantFrom(
    '<a href="https://example.com/?a=1&amp;b=2">',
    '<a href="/docs" title="A &quot;title&quot;">',
    '<a href="javascript:alert(1)">',
    '<img src="attachment:7" alt="A &quot;plan&quot;">',
  ),
);
const words = fc.constantFrom(
  'one',
  'two three',
  ' four ',
  '\n five\n\n',
  'a &lt; b &amp; c',
  '&nbsp;',
  ' ',
  'é🙂',
);

/** Generates unusual nesting, such as a list in a heading or an item without a list. */
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    words,
    fc
      .tuple(openingTag, fc.array(tie('tree'), { maxLength: 4 }))
      .map(([tag, within]) => `${tag}${within.join('')}</${/[a-z0-9]+/.exec(tag)?.[0]}>`),
  ),
}));
/** Generates random sequences of words and tags. Tags may be unpaired. */
const randomMarkup = fc.array(
  fc.oneof(
    words,
    openingTag,
    fc.constantFrom(...safeTags).map((tag) => `</${tag}>`),
  ),
  {
    maxLength: 25,
  },
);
const texts = fc.oneof(
  fc.array(tree, { maxLength: 6 }).map((each) => (each as string[]).join('')),
  randomMarkup.map((each) => each.join('')),
);

/** An example of each tag, and examples whose content the editor lost in the past. */
export const knownTexts: readonly string[] = [
  ...[...safeTags].map((tag) =>
    /^t[a-z]/.test(tag)
      ? '<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>y</td></tr></tbody></table>'
      : `a<${tag}>b</${tag}>c`,
  ),
  '<pre>\n\nfive<p>one</p></pre>',
  '<pre>\n\n<a href="/docs" title="A &quot;title&quot;">two<h3>one</h3></a></pre>',
  '<pre><b>\nfive</b></pre>',
  '<p>a <img src="attachment:7" alt="x"> <b>b<img src="attachment:8" alt=""></b></p>',
  '<pre>a\n<img src="attachment:7" alt="x"></pre><img src="attachment:8" alt="">',
  'a<img src="attachment:7" alt="x">\nb',
].map(sanitizeRichText);

export function randomTexts(count: number, seed: number): string[] {
  return fc.sample(texts, { numRuns: count, seed }).map(sanitizeRichText);
}

export interface RewrittenText {
  readonly html: string;
  /**
   * The visible content before the editor rewrites the text: blocks, and each character with the tags around it. A
   * single empty block is treated as no content. Null if the browser parses the text into a structure that HTML can't
   * express.
   */
  readonly before: string | null;
  readonly after: string;
}

export function rewriteTexts(
  page: Page,
  editor: string,
  stored: readonly string[],
): Promise<RewrittenText[]> {
  return page.evaluate(
    async ({ editor, stored, inline }) => {
      const { parseRichText, serializeRichText } = await import(editor);
      // Browsers parse broken tables and links into structures that HTML can't express, such as nested headings.
      const nested = ':is(h1, h2, h3, h4, h5, h6)';
      const isWritable = (html: string) => {
        const [one, other] = [html, ''].map(() => document.implementation.createHTMLDocument('').body);
        if (!one || !other) return false;
        one.innerHTML = html;
        // Doubles the first line break of a `pre`, because browsers drop one when they parse it.
        other.innerHTML = one.innerHTML.replaceAll('<pre>\n', '<pre>\n\n');
        return one.isEqualNode(other) && !one.querySelector(`${nested} ${nested}`);
      };
      const describeContent = (html: string) => {
        const { body } = document.implementation.createHTMLDocument('');
        // Plain text keeps its lines and spaces.
        const isPlain = !html.includes('<');
        body.innerHTML = isPlain
          ? html
              .trim()
              .replaceAll('\n', '<br>')
              .replaceAll(/ (?= )/g, '&nbsp;')
          : html;
        const parts: string[] = [];
        let line: { character: string; marks: string }[] = [];
        const endLine = (keepsSpaces: boolean) => {
          const isSpace = (at: number) => /[ \t\r\n\f]/.test(line[at]?.character ?? ' ');
          for (const [at, { character, marks }] of line.entries()) {
            if (keepsSpaces) parts.push(character + marks);
            else if (!isSpace(at)) parts.push(character + marks);
            // A run of spaces is displayed as one space, or as none at the start or end of a line.
            else if (!isSpace(at - 1) && line.slice(at).some((_, next) => !isSpace(at + next)))
              parts.push('_');
          }
          line = [];
        };
        const visitNodes = (parent: Node, marks: readonly string[], keepsSpaces: boolean) => {
          for (const node of parent.childNodes) {
            if (node instanceof Text) {
              const isBetween =
                parent instanceof Element && parent.matches('table, thead, tbody, tr, ul, ol');
              if (isBetween && /^[ \t\r\n\f]*$/.test(node.data)) continue;
              for (const character of node.data) line.push({ character, marks: marks.join() });
            } else if (node instanceof HTMLImageElement) {
              const image = `img:${node.getAttribute('src')}:${node.alt.replaceAll(' ', '_')}`;
              line.push({ character: image, marks: marks.join() });
            } else if (node instanceof Element && inline.includes(node.localName)) {
              const attributes = [...node.attributes].map(({ name, value }) => `${name}=${value}`).sort();
              const around = marks.filter((each) => each.split(' ')[0] !== node.localName);
              visitNodes(node, [...around, [node.localName, ...attributes].join(' ')].sort(), keepsSpaces);
            } else if (node instanceof Element) {
              endLine(keepsSpaces);
              parts.push(`<${node.localName}>`);
              const within = keepsSpaces || node.localName === 'pre';
              visitNodes(node, marks, within);
              endLine(within);
              parts.push('</>');
            }
          }
        };
        visitNodes(body, [], false);
        endLine(false);
        return parts.join('').replace(/^<(?!hr)\w+><\/>$/, '');
      };
      return stored.map((each) => {
        const html = serializeRichText(parseRichText(each));
        return {
          html,
          before: isWritable(each) ? describeContent(each) : null,
          after: describeContent(html),
        };
      });
    },
    { editor, stored, inline: inlineTags as readonly string[] },
  );
}
