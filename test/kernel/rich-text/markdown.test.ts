import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertHtmlToMarkdown, convertMarkdownToHtml } from '../../../src/kernel/rich-text/markdown.ts';
import { toPlainText } from '../../../src/kernel/rich-text/plain-text.ts';
import { sanitizeRichText } from '../../../src/kernel/rich-text/rich-text.ts';
import { blockTags, inlineTags } from '../../../src/kernel/rich-text/safe-tags.ts';
import { expectQuick } from '../../support/linear-time.ts';

const RUNS = 400;
const toWords = (html: string) => toPlainText(html).replace(/\s+/g, '');

const text = fc.oneof(
  fc.constantFrom(
    'a',
    'b c',
    ' ',
    '*',
    '_x_',
    '1. y',
    '- z',
    '# t',
    '|',
    '`',
    '[l](u)',
    '&amp;',
    '&lt;b&gt;',
    '\\',
    '~~',
  ),
  fc.constantFrom(
    '\n',
    'line\nline',
    '&nbsp;',
    '<br>',
    '---',
    '===',
    '&gt; q',
    '!',
    'é 🚀',
    '    four',
    '&#42;',
    '``` x',
  ),
  fc.string({ maxLength: 12 }),
);
const { html: markup } = fc.letrec<{ html: string; node: string }>((tie) => ({
  html: fc.array(tie('node'), { maxLength: 5 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc
      .tuple(fc.constantFrom(...inlineTags, ...blockTags), tie('html'))
      .map(
        ([tag, inner]) =>
          `<img src="attachment:7" alt="a_b&quot;"><${tag}${tag === 'a' ? ' href="https://e.test/a_b?c=1&amp;d" title="t"' : ''}>${inner}</${tag}>`,
      ),
  ),
}));

describe('converting between HTML and Markdown', () => {
  it('keeps all text, and a second conversion changes nothing', () => {
    fc.assert(
      fc.property(markup, (raw) => {
        const html = sanitizeRichText(raw);
        const once = convertMarkdownToHtml(convertHtmlToMarkdown(html));
        expect(toWords(once)).toBe(toWords(html));
        expect(convertMarkdownToHtml(convertHtmlToMarkdown(once))).toBe(once);
        expect(sanitizeRichText(once)).toBe(once);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    [
      '<p>Hero, <strong>three</strong> <em>benefits</em>, one form.</p>',
      'Hero, **three** *benefits*, one form.',
    ],
    ['<h2>Plan</h2><ul><li>one</li><li>two</li></ul>', '## Plan\n\n- one\n- two'],
    ['<ol><li>one<ul><li>two</li></ul></li><li>three</li></ol>', '1. one\n   - two\n2. three'],
    ['<pre><code>a &lt; b\n\nc</code></pre>', '```\na < b\n\nc\n```'],
    ['<blockquote><p>said</p></blockquote><hr>', '> said\n\n---'],
    [
      '<p><a href="https://e.test/a_b" title="t">link</a> <code>x</code> <s>gone</s></p>',
      '[link](<https://e.test/a_b> "t") `x` ~~gone~~',
    ],
    [
      '<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>1 | 2</td></tr></tbody></table>',
      '| x |\n| --- |\n| 1 \\| 2 |',
    ],
    ['<p>H<sub>2</sub>O and <u>more</u></p>', 'H<sub>2</sub>O and <u>more</u>'],
    ['<div><p>a</p></div>', '<div><p>a</p></div>'],
    [
      '<p>See <img src="attachment:7" alt="A [big] &quot;plan&quot; *1*"> and <a href="https://e.test"><img src="attachment:8" alt=""></a></p>',
      'See ![A \\[big\\] "plan" \\*1\\*](attachment:7) and [![](attachment:8)](<https://e.test>)',
    ],
    ['1. not a list\n\n# *plain*', '1\\. not a list\n\n\\# \\*plain\\*'],
    ['two\nlines', 'two\\\nlines'],
    ['', ''],
  ])('writes the HTML %j as %j', (html, markdown) => {
    expect(convertHtmlToMarkdown(html)).toBe(markdown);
  });

  it('writes only unusual paragraphs as HTML, or the entire text if it has more than 500 paragraphs', () => {
    const unusual = '<p>a <em>b </em>c</p>';
    const usual = '<p><strong>x</strong></p>';
    expect(convertHtmlToMarkdown(unusual + usual.repeat(499))).toBe(
      [unusual, ...Array.from({ length: 499 }, () => '**x**')].join('\n\n'),
    );
    const many = unusual + usual.repeat(500);
    const markdown = convertHtmlToMarkdown(many);
    expect(markdown).toBe(many.replaceAll('</p><p>', '</p>\n\n<p>'));
    expect(convertMarkdownToHtml(markdown).replaceAll('\n', '')).toBe(many);
  });

  it.each([
    ['**bold** and *em*', '<p><strong>bold</strong> and <em>em</em></p>'],
    ['<script>alert(1)</script>x<img src=x onerror=alert(1)>', 'x'],
    ['[a](javascript:alert(1))', '<p><a href>a</a></p>'],
    ['![a](attachment:7 "t") ![b](https://e.test/b.png)', '<p><img src="attachment:7" alt="a"> </p>'],
    ['<b onclick=x>y</b>', '<p><b>y</b></p>'],
    ['```js\nx\n```', '<pre><code>x\n</code></pre>'],
  ])('reads the Markdown %j as %j', (markdown, html) => {
    expect(convertMarkdownToHtml(markdown)).toBe(html);
  });
});

describe.each([
  '>',
  '> ',
  '*',
  '**a',
  '_a',
  '`',
  '[',
  '[a](',
  '![',
  '<',
  '<a',
  '- a\n',
  '  - ',
  '|',
  'a|b\n-|-\n',
  '~~a',
  '[a]: b\n',
  '<b>',
  '<div>',
  '</',
])('text that is expensive to convert: many %j', (part) => {
  it('is converted in both directions within seconds', async () => {
    const long = part.repeat(Math.ceil(100_000 / part.length)).slice(0, 100_000);
    await expectQuick(() => convertHtmlToMarkdown(convertMarkdownToHtml(long)), 5_000);
    await expectQuick(() => convertHtmlToMarkdown(sanitizeRichText(long)), 5_000);
  });
});
