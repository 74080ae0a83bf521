import { beforeAll, describe, expect, it } from 'vitest';
import { findLinks } from '../../../src/web/components/find-links.ts';
import { api } from '../../support/api.ts';
import { createMeeting, createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

const findUrls = (text: string) =>
  findLinks(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.href]));

describe('links in plain text', () => {
  it.each([
    ['See https://example.com/a?b=1&c=2#d for more', 'https://example.com/a?b=1&c=2#d'],
    ['(http://example.com)', 'http://example.com'],
    [
      'Read https://en.wikipedia.org/wiki/Tree_(graph_theory).',
      'https://en.wikipedia.org/wiki/Tree_(graph_theory)',
    ],
    ['(see https://example.com/a(b)c)!', 'https://example.com/a(b)c'],
    ['“https://example.com/x”, she wrote', 'https://example.com/x'],
    ['HTTPS://EXAMPLE.COM/Path, then', 'HTTPS://EXAMPLE.COM/Path'],
    ['https://пример.рф/путь…', 'https://пример.рф/путь'],
    ['https://example.com:8443/a,b;c?', 'https://example.com:8443/a,b;c'],
    ['https://example.com/\nnext line', 'https://example.com/'],
  ])('are found in %j', (text, address) => {
    expect(findUrls(text)).toEqual([address]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://example.com',
    'xhttps://example.com',
    'https://',
    'https://.',
    'http://[',
    'https:/example.com',
    'www.example.com',
    'file:///etc/passwd',
  ])("aren't found in %j", (text) => {
    expect(findUrls(text)).toEqual([]);
  });

  it('end before quotes, angle brackets and invisible characters', () => {
    for (const end of ['"', '<', '>', '\u202e', '\u200b', '\u0000', ' '])
      expect(findUrls(`https://example.com/a${end}onclick=x`)).toEqual(['https://example.com/a']);
  });

  it("don't change the text around them, and are limited in number even in hostile input", () => {
    const texts = [
      'a https://example.com/b) c',
      'https://'.repeat(10_000),
      `https://example.com/${'('.repeat(20_000)}${')'.repeat(20_000)}`,
      `https://example.com/${'.'.repeat(50_000)}`,
      'https://example.com/ '.repeat(5_000),
    ];
    for (const text of texts) {
      const pieces = findLinks(text);
      expect(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.href)).join('')).toBe(text);
      expect(pieces.length).toBeLessThan(500);
    }
  });
});

describe('plain text on a page', () => {
  let world: World;
  let member: WorkspaceBrowser;
  beforeAll(async () => {
    world = await createWorld({ cell: 1 });
    member = await WorkspaceBrowser.signIn(world, world.people.member);
  });
  const rel = 'rel="noopener noreferrer nofollow" target="_blank"';
  const hostile =
    'One\n  two  "https://example.com/?a=1&b=<img src=x onerror=alert(1)>" \'https://e.com/\'onclick=y';

  it('keeps the line breaks and spaces of a description, and links its URLs', async () => {
    const { id } = await createTask(world.people.member, world.projects.joined.id, {
      description: 'One\n\n  two & three\nhttps://example.com/a?b=1&c=2.',
    });
    const { html } = await member.open(`/tasks/${id}`);
    const shown = /<div class="rich text[^"]*">([\s\S]*?)<\/div>/.exec(html)?.[1];
    const address = 'https://example.com/a?b=1&amp;c=2';
    expect(shown).toBe(`One\n\n  two &amp; three\n<a href="${address}" ${rel}>${address}</a>.`);
  });

  it('keeps an empty first line when it is edited', async () => {
    const { id } = await createTask(world.people.member, world.projects.joined.id, {
      description: '\nSecond',
    });
    const { html } = await member.open(`/tasks/${id}`);
    expect(html).toContain('>\n\nSecond</textarea>');
  });

  it("keeps the line breaks of a meeting's description, and links URLs in the description and the location", async () => {
    const { id } = await createMeeting(world.people.member, world.projects.joined.id, {
      description: 'First\nhttps://example.com/agenda',
      location: 'Room 4, https://maps.example.com/room',
    });
    const { html } = await member.open(`/meetings/${id}`);
    expect(html).toMatch(/<div class="rich text[^"]*">First\n<a href="https:\/\/example.com\/agenda"/);
    expect(html).toContain(`Room 4, <a href="https://maps.example.com/room" ${rel}>`);
  });

  it('links the URLs in a comment, and keeps its mentions', async () => {
    const { userId } = world.people.member;
    const { id } = await createTask(world.people.member, world.projects.joined.id);
    const content = `@[${userId}] see https://example.com/x, then\nhttps://example.com/y`;
    await api(world.people.member.token).post(`/tasks/${id}/comments`, { content });
    const { html } = await member.open(`/tasks/${id}`);
    const links = [...html.matchAll(/<a href="(https:\/\/example[^"]*)" rel/g)].map(([, href]) => href);
    expect(links).toEqual(['https://example.com/x', 'https://example.com/y']);
    expect(html).toContain('class="mention me"');
    // On the dashboard, the whole comment is a link, so its URLs aren't links.
    expect((await member.open('/dashboard')).html).not.toContain('<a href="https://example.com');
  });

  it('is escaped around a URL', async () => {
    const { id } = await createTask(world.people.member, world.projects.joined.id);
    await api(world.people.member.token).post(`/tasks/${id}/comments`, { content: hostile });
    const { html } = await member.open(`/tasks/${id}`);
    expect(html).not.toContain('<img src=x');
    const links = [...html.matchAll(/<a ([^>]*) rel="noopener noreferrer nofollow"/g)].map(
      ([, rest]) => rest,
    );
    expect(links).toEqual(['href="https://example.com/?a=1&amp;b="', 'href="https://e.com/&#39;onclick=y"']);
  });
});
