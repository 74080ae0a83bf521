import assert from 'node:assert/strict';
import { it } from 'node:test';
import { extractSection, renderMarkdown } from '../../scripts/assets/markdown.ts';

const renderWithTargets = (text: string) =>
  renderMarkdown(text, (target) => (target === 'gone.md' ? null : `/docs/${target}`));

it('the Markdown renderer supports every construct in the docs, and escapes HTML', () => {
  assert.equal(renderWithTargets('## A & B'), '<h2 id="a--b">A &amp; B</h2>');
  assert.equal(
    renderWithTargets('a *b* **c** `<d> *e*`\nf'),
    '<p>a <em>b</em> <strong>c</strong> <code>&lt;d&gt; *e*</code>\nf</p>',
  );
  assert.equal(renderWithTargets('`![a](b:1)`'), '<p><code>![a]&#40;b:1)</code></p>');
  assert.equal(renderWithTargets('- a\n  b\n- c'), '<ul><li>a\n  b</li><li>c</li></ul>');
  assert.equal(renderWithTargets('1. a\n2. b'), '<ol><li>a</li><li>b</li></ol>');
  assert.equal(
    renderWithTargets('[`x`](page#z), [w](gone.md)'),
    '<p><a href="/docs/page#z"><code>x</code></a>, w</p>',
  );
  assert.equal(
    renderWithTargets('```sh\n# <a>\n\n- b\n```'),
    '<pre tabindex="0"><code># &lt;a&gt;\n\n- b</code></pre>',
  );
  assert.equal(
    renderWithTargets('| a | b |\n| --- | ---: |\n| `x` | 1 \\| 2 |'),
    '<div class="wide-table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td><code>x</code></td><td>1 | 2</td></tr></tbody></table></div>',
  );
});

it('a section ends at the next heading of the same or a higher level', () => {
  const text = '## a\none\n### b\ntwo\n## c\nthree';
  assert.equal(extractSection(text, '## a'), '## a\none\n### b\ntwo');
  assert.equal(extractSection(text, '### b'), '### b\ntwo');
  assert.equal(extractSection(text, '## c'), '## c\nthree');
  assert.throws(() => extractSection(text, '## d'), /No heading/);
});
