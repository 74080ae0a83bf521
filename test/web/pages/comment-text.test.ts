import { beforeAll, expect, it } from 'vitest';
import { parseComment } from '../../../src/web/components/parse-comment.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

/** Returns the displayed comment, without the attributes that every link has. */
async function renderComment(content: string): Promise<string> {
  const { owner } = world.people;
  const { id } = await createTask(owner, world.projects.other.id, { name: 'Plan' });
  await api(owner.token).post(`/tasks/${id}/comments`, { content });
  const screens = await WorkspaceBrowser.signIn(world, owner);
  const { html } = await screens.open(`/tasks/${id}`);
  const [, shown = ''] = /<\/header>(<div class="rich text.*?<\/div>)/s.exec(html) ?? [];
  return shown.replaceAll(' rel="noopener noreferrer nofollow" target="_blank"', '');
}

it('a comment is displayed as Markdown and returned as it was sent', async () => {
  const { owner } = world.people;
  const { id } = await createTask(owner, world.projects.other.id, { name: 'Plan' });
  const content = '  **Done**, see `a < b`\n\n- [log](https://example.com/a_b_c)\n- @[usr_x]  \n';
  const { body } = await api(owner.token).post(`/tasks/${id}/comments`, { content });
  expect(body.content).toBe(content);
  expect(await renderComment(content)).toBe(
    '<div class="rich text"><p><strong>Done</strong>, see <code>a &lt; b</code></p>' +
      '<ul><li><a href="https://example.com/a_b_c">log</a></li><li>@[usr_x]</li></ul></div>',
  );
});

it.each([
  ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
  ['3) a', '<ol start="3"><li>a</li></ol>'],
  ['> a\nb', '<blockquote><p>a\nb</p></blockquote>'],
  ['## Head', '<p><strong>Head</strong></p>'],
  ['```ts\n<b>*x*\n```', '<pre>&lt;b&gt;*x*</pre>'],
  ['_it_ ~~old~~', '<p><em>it</em> <s>old</s></p>'],
  ['**a**\n  b', '<p><strong>a</strong>\n  b</p>'],
  [
    '**a** https://example.com/_b_c',
    '<p><strong>a</strong> <a href="https://example.com/_b_c">https://example.com/_b_c</a></p>',
  ],
])('a comment with %j is displayed with formatting', async (text, html) => {
  expect((await renderComment(text)).replace('</div>', '')).toBe(`<div class="rich text">${html}`);
});

it.each([
  'a plain line\n\n\n  and an indented one',
  '2*3*4, snake_case_name, __init__.py and C:\\_cache_\\x',
  'https://example.com/_next_/a*b*c',
  '@[usr_a_b_] @[usr_c_d_]',
  '<b>bold</b> &amp; <script>alert(1)</script>',
  '[x](javascript:alert(1)) [y](data:text/html,x)',
  '[x]: https://example.com',
  '#12 is done',
  '1.5 hours',
])('a comment with %j is displayed as it was typed', (text) => {
  expect(parseComment(text)).toBeNull();
});

it("long comments aren't formatted", async () => {
  expect(await renderComment(`**a** ${'x'.repeat(5_000)}`)).toMatch(/^<div class="rich text">\*\*a\*\* x/);
});

it('a comment has at most 200 links', async () => {
  const html = await renderComment('[a](http://b.c)'.repeat(300));
  expect(html.split('<a ').length - 1).toBe(200);
});
