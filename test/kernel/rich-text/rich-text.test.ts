// This file is long because it tests the reading and cleaning of every element that rich text allows.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText } from '../../../src/kernel/rich-text/plain-text.ts';
import { sanitizeRichText } from '../../../src/kernel/rich-text/rich-text.ts';
import { api } from '../../support/api.ts';
import { expectLinear, expectQuick } from '../../support/linear-time.ts';
import { createTask, createWorld } from '../../support/world.ts';

const TEXT_LENGTH_MAX = 100_000;

describe('sanitizing a description', () => {
  it.each([
    ['<p>Hello <strong>there</strong></p>'],
    ['line 1\nline 2\r\n\ttab'],
    ['a & b &amp; c &lt;d&gt; &nbsp;é 🚀 &copy; &#8217;'],
    ['<br>'],
    ['<br />'],
    ['<hr><blockquote><pre><code>x</code></pre></blockquote>'],
    ['<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6>'],
    ['<ul><li>1<li>2</ul><ol><li>3</li></ol>'],
    ['<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>y</td></tr></tbody></table>'],
    [
      '<b>b</b><i>i</i><u>u</u><s>s</s><em>e</em><sub>2</sub><sup>2</sup><mark>m</mark><span><div>d</div></span>',
    ],
    ['<p>not closed'],
    ['not opened</p>'],
    ['<a href="https://example.com/?a=1&b=2&copy=3" title="x &amp; y">l</a>'],
    ['<a href="http://example.com">l</a>'],
    ['<a href="mailto:a@example.com">l</a>'],
    ['<a href="tel:+49301234">l</a>'],
    ['<a href="/path">l</a><a href="#part">l</a><a href="../up">l</a>'],
    ['<a title="say &quot;ok&quot;">l</a>'],
    ['<a href>l</a>'],
    ['<p>x<img src="attachment:82" alt="A &quot;plan&quot;">y</p>'],
    [''],
  ])('keeps %j unchanged', (html) => {
    expect(sanitizeRichText(html)).toBe(html);
  });

  it.each([
    ['<br/>', '<br />'],
    ['<P CLASS="x" onclick=y STYLE="color:red">Up</P>', '<p>Up</p>'],
    ['<font color=red>x</font><h7>y</h7><img src=x onerror=z>', 'xy'],
    ['<a target="_blank" href="https://e.com" rel=noopener>l</a>', '<a href="https://e.com">l</a>'],
    ["<a\nhref='https://e.com'\n>l</a>", '<a href="https://e.com">l</a>'],
    ['<a href=https://e.com>l</a>', '<a href="https://e.com">l</a>'],
    ['<a href=" https://e.com ">l</a>', '<a href="https://e.com">l</a>'],
    ['<a title="it&#39;s &#8217; <b>">l</a>', '<a title="it\'s ’ &lt;b&gt;">l</a>'],
    ["<a title='it\"s'>l</a>", '<a title="it&quot;s">l</a>'],
    ['<IMG ALT=x SRC=attachment:7 onerror=y width=1 />', '<img src="attachment:7" alt="x">'],
    ['<img src="attachment&#58;7" src="attachment:8">', '<img src="attachment:7" alt="">'],
    ['a<img src="attachment:7"></img>b', 'a<img src="attachment:7" alt="">b'],
    ['<img src="attachment:7" alt="<b>&#34;">', '<img src="attachment:7" alt="&lt;b&gt;&quot;">'],
    ['3 > 2', '3 &gt; 2'],
    ['a < b and c > d', 'a &lt; b and c &gt; d'],
    ['a<!-- c -->b<!doctype html>c<?x y?>d', 'abcd'],
    ['<script>alert(1)</script>z<style>a{}</style>', 'z'],
    ['a<iframe src=x>q</iframe><object><p>q</p><object>r</object></object><noscript>q</noscript>z', 'az'],
    ['a<template>q</template><embed src=x>z', 'az'],
    ['use List<object> here', 'use List here'],
    ['a<script>alert(1)', 'a'],
    ['a<p', 'a'],
  ])('changes %j to %j', (html, safe) => {
    expect(sanitizeRichText(html)).toBe(safe);
  });
});

describe('an image in a description', () => {
  it.each([
    'https://example.com/a.png',
    '//example.com/a.png',
    '/app/ws_1/tasks/1/files/7',
    'data:image/png;base64,AAAA',
    'blob:https://e.com/x',
    'javascript:alert(1)',
    'attachment:',
    'attachment:0',
    'attachment:07',
    'attachment:-7',
    'attachment:7.5',
    'attachment:7/../8',
    'attachment:7?x',
    'attachment:1234567890123456',
    'ATTACHMENT:7',
    'attachment&colon;7',
    '',
  ])('is removed if its source is %j', (source) => {
    for (const quote of ['"', "'"])
      expect(sanitizeRichText(`a<img src=${quote}${source}${quote} alt="x">b`)).toBe('ab');
    expect(sanitizeRichText(`<img srcset="${source}" alt="x">`)).toBe('');
  });
});

describe('a link in a description', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'java&Tab;script:alert(1)',
    'javascript&colon;alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript&#58;alert(1)',
    '&#0000106avascript:alert(1)',
    '&amp;#106;avascript:alert(1)',
    '&#38;#106;avascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'DATA:text/html,x',
    ' data:text/html,x',
    'd\tata:image/png,x',
    'da&#10;ta:image/png,x',
    'data&colon;image/png,x',
    '&#100;ata:image/png,x',
    '&#x64;&#x61;ta:image/png,x',
    '&amp;#100;ata:image/png,x',
    'blob:https://e.com/x',
    'file:///etc/passwd',
    'ftp://e.com',
    'view-source:https://e.com',
    'feed:javascript:x',
    'https:javascript:x',
    'x:y',
  ])('loses its target %j, but keeps its text', (href) => {
    for (const quote of ['"', "'"]) {
      const safe = sanitizeRichText(`<a href=${quote}${href}${quote}>l</a>`);
      expect(safe).toBe('<a href>l</a>');
    }
  });
});

describe('a description with arbitrary content', () => {
  const piece = fc.constantFrom(
    ...[
      '<',
      '>',
      '</',
      '/>',
      '=',
      '"',
      "'",
      ' ',
      '\n',
      '\t',
      '&',
      '#',
      ';',
      '&#',
      '&amp;',
      '&#38;',
      '&#60;',
      '&#x3c;',
    ],
    ...[
      'a',
      'A',
      'b',
      'p',
      'br',
      'script',
      'style',
      'object',
      'iframe',
      'template',
      'svg',
      'math',
      'title',
      'xmp',
    ],
    ...[
      'href',
      'title',
      'onclick',
      'data:',
      'javascript:',
      'https://',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '!',
    ],
    ...[
      '<a ',
      '<a href=',
      '<a title="',
      '<img ',
      '<img src=attachment:7 ',
      ' src=',
      ' alt="',
      'attachment:',
      '<script>',
      '</script>',
      '<object>',
      '</object>',
      '&#106',
      '1',
      'x',
      '🚀',
      'ß',
    ],
  );
  const markup = fc
    .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 40 })
    .map((all) => all.join(''));

  it("doesn't change when it is sanitized again", () => {
    fc.assert(
      fc.property(markup, (html) => {
        const once = sanitizeRichText(html);
        expect(sanitizeRichText(once)).toBe(once);
      }),
      { numRuns: 20_000 },
    );
  });

  it('keeps only known tags and safe links', () => {
    const tag =
      /^<(?:\/?(?:p|br|hr|b|i|s|u|em|a|ul|ol|li|tr|td|th|h[1-6])(?: \/)?|a(?: (?:href|title)(?:="[^"<>]*")?)*(?: \/)?|img src="attachment:[1-9]\d*" alt="[^"<>]*")>$/;
    fc.assert(
      fc.property(markup, (html) => {
        const safe = sanitizeRichText(html);
        expect(safe.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
        for (const [found] of safe.matchAll(/<[^<>]*>/g)) expect(found).toMatch(tag);
        for (const [, link] of safe.matchAll(/ href="([^"]*)"/g))
          expect(link).toMatch(/^(?:https?:\/\/|mailto:|tel:|[#/]|\.\.?\/)/i);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('the time to sanitize a description', () => {
  const repeatUpTo = (text: string) => (size: number) =>
    text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const shapes: Record<string, (size: number) => string> = {
    'spaces before a value': (size) => `<a href=${' '.repeat(size)}x>`,
    'spaces after a value': (size) => `<a href=x${' '.repeat(size)}>`,
    'attributes without a value': (size) => `<a ${repeatUpTo('a ')(size)}>`,
    'attributes with a value': (size) => `<a ${repeatUpTo('href="x" ')(size)}>`,
    'equals signs': (size) => `<a ${repeatUpTo(' =')(size)}>`,
    images: repeatUpTo('<img src="attachment:7" alt="x">'),
    'attributes of an image': (size) => `<img ${repeatUpTo('src="attachment:7" alt="x" ')(size)}>`,
    quotes: (size) => `<a href="${repeatUpTo('\'"')(size)}>`,
    references: (size) => `<a href="${repeatUpTo('&#38;#')(size)}">`,
    'digits of a character reference': (size) => `<a title="&#${'9'.repeat(size)}">`,
    'opening brackets': repeatUpTo('<'),
    'incomplete tags': repeatUpTo('<a'),
    'incomplete comments': repeatUpTo('<!--'),
    'incomplete end tags': repeatUpTo('</'),
    'deep nesting': repeatUpTo('<div>'),
    'deep objects': (size) => repeatUpTo('<object>')(size / 2) + repeatUpTo('</object>')(size / 2),
    'consecutive objects': repeatUpTo('<object>x</object>'),
    'incomplete script end tags': (size) => `<script>${repeatUpTo('</scrip')(size)}`,
    ampersands: repeatUpTo('&'),
    'incomplete entities': repeatUpTo('&am'),
    spaces: repeatUpTo(' '),
  };

  it.each(Object.keys(shapes))('grows linearly with the length of the text (%s)', async (name) => {
    const shape = shapes[name] as (size: number) => string;
    await expectLinear(shape, TEXT_LENGTH_MAX, sanitizeRichText);
    await expectLinear(shape, TEXT_LENGTH_MAX, toPlainText);
  });

  it('stays short in an API request', async () => {
    const { people, projects } = await createWorld();
    const description = `<a href=${' '.repeat(TEXT_LENGTH_MAX - 10)}x>`;
    const createTaskWithText = async () => {
      const task = await createTask(people.member, projects.joined.id, { description });
      expect((await api(people.member.token).get(`/tasks/${task.id}`)).body.description).toBe('<a href>');
    };
    await expectQuick(createTaskWithText, 3_000);
  });
});

it('a description is converted to its visible text', () => {
  expect(toPlainText('<p>It&#39;s &lt;5&gt; &amp; m&uuml;de&nbsp;now</p><ul><li>1<li>2</ul>')).toBe(
    "It's <5> & müde now\n\n1\n2",
  );
  expect(toPlainText('See<img src="attachment:7" alt="A &quot;plan&quot; &lt;1&gt;">here')).toBe(
    'See A "plan" <1> here',
  );
});
