import { describe, expect, it } from 'vitest';
import { listRequiredScopes } from '../../../src/kernel/access/access.ts';
import { routes } from '../../../src/registry.ts';
import { assets } from '../../../src/web/page-model/assets.ts';
import { guides } from '../../../src/web/pages/reference/guides.ts';
import { TestBrowser, unescapeHtml } from '../../oauth/flow.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { createApiKey, createWorld } from '../../support/world.ts';

const browser = new TestBrowser();
async function openPage(path: string) {
  const answer = await browser.get(path);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}
const groups = [...new Set(routes.map(({ path }) => path.split('/')[1] ?? ''))];

describe('the API reference', () => {
  it('runs no script on its start page, sets no cookie, and links to the home page', async () => {
    const { status, headers, html } = await openPage('/docs');
    expect(status).toBe(200);
    expect(headers.get('Content-Security-Policy')).not.toMatch(/script-src|unsafe/);
    expect(headers.get('Set-Cookie')).toBeNull();
    expect(html).not.toMatch(/<script|style="| on\w+="/);
    expect(html).toContain('<a class="brand" href="/"');
    expect((await openPage('/docs/')).status).toBe(301);
  });

  it('runs only its own script, and only on pages where operations can be tried out', async () => {
    const { headers, html } = await openPage('/docs/api/tasks');
    const policy = headers.get('Content-Security-Policy');
    expect(policy).toContain("script-src 'self'; connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('Set-Cookie')).toBeNull();
    expect(html).not.toMatch(/style="| on\w+="/);
    expect(html.match(/<script[^>]*>/g)).toEqual([`<script type="module" src="${assets.tryRequest}">`]);
    const forms = html.match(/<form class="try[^>]*>/g) ?? [];
    expect(forms.length).toBeGreaterThan(10);
    for (const form of forms) expect(form).toContain(' hidden=""');
  });

  it('lists every operation with its scope, request and response', async () => {
    const overview = (await openPage('/docs')).html;
    const pages = new Map<string, string>();
    for (const group of groups) pages.set(group, (await openPage(`/docs/api/${group}`)).html);
    for (const { method, path, operation } of routes) {
      const group = path.split('/')[1] ?? '';
      expect(overview).toContain(`href="/docs/api/${group}#${operation.name}"`);
      const [, section = ''] = (pages.get(group) ?? '').split(`id="${operation.name}"`);
      const [shown = ''] = section.split('</section>');
      expect(shown).toContain(`<b>${method}</b> /v1${path.replace(/:(\w+)/g, '{$1}')}`);
      const needed = listRequiredScopes(operation.access);
      if (needed.length > 0) expect(shown).toContain(`<code>${needed.join(' ')}</code>`);
      expect(shown).toContain('curl -s');
      expect(shown).toContain('<h3>Response <code>20');
    }
  });

  it('shows text between backticks as code', async () => {
    for (const group of groups)
      expect((await openPage(`/docs/api/${group}`)).html.match(/.{60}`.{60}/)).toBeNull();
    expect((await openPage('/docs/api/tasks')).html).toContain(
      'Only <code>projectId</code> and <code>name</code> are required',
    );
  });

  it('has no broken links between its pages', async () => {
    const seen = new Set<string>();
    const waiting = ['/docs'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const { status, html } = await openPage(path);
      expect([path, status]).toEqual([path, 200]);
      if (path.startsWith('/docs/examples/')) continue;
      for (const [, href = ''] of html.matchAll(/ href="([^"]+)"/g)) {
        const [page = '', anchor] = unescapeHtml(href).split('#');
        const target = page === '' ? path : page;
        if (!target.startsWith('/docs')) continue;
        waiting.push(target);
        if (anchor)
          expect([href, (await openPage(target)).html]).toEqual([
            href,
            expect.stringContaining(`id="${anchor}"`),
          ]);
      }
    }
    const examples = [...seen].filter((path) => path.startsWith('/docs/examples/'));
    expect(examples.length).toBe(3);
    expect(seen.size).toBe(1 + groups.length + guides.length + examples.length);
  });

  it('shows the URL of this deployment in guides and examples, and no demo account', async () => {
    for (const path of [...guides.map(({ slug }) => `/docs/${slug}`), '/docs/examples/my-tasks.mjs']) {
      const { html } = await openPage(path);
      expect(html).not.toMatch(/localhost:8787|demo\.test|demo-password/);
    }
    expect((await openPage('/docs/agents')).html).toContain(`<code>${ORIGIN}/mcp</code>`);
    expect((await openPage('/docs/examples/my-tasks.mjs')).html).toContain(`'${ORIGIN}'`);
    expect((await openPage('/docs/examples/__proto__')).status).toBe(404);
  });

  it('serves the changelog without a credential, and states whether anything is deprecated', async () => {
    const { status, headers, html } = await openPage('/docs/changelog');
    expect([status, headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(html).toContain('Nothing in the API is deprecated.');
    expect(html).toContain('<h3 id="api">API</h3>');
  });

  it('lists the docs in /llms.txt, with the URL of this deployment', async () => {
    const { status, headers, html: text } = await openPage('/llms.txt');
    expect([status, headers.get('Content-Type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    expect(text).toMatch(/^# Edgework\n\n> /);
    const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): \S/gm)].map(([, link = '']) => link);
    const expected = [...guides.map(({ slug }) => slug), ...groups.map((group) => `api/${group}`)];
    expect(links).toEqual(expect.arrayContaining(expected.map((path) => `${ORIGIN}/docs/${path}`)));
    expect(links).toContain(`${ORIGIN}/openapi.json`);
    for (const link of links) expect([link, (await openPage(link)).status]).toEqual([link, 200]);
  });

  it('shows the URL to import into Postman or Insomnia', async () => {
    expect((await openPage('/docs')).html).toContain(`<code>${ORIGIN}/openapi.json</code>`);
    expect((await openPage('/docs/clients')).html).toContain(`<code>${ORIGIN}/openapi.json</code>`);
  });

  it('finds operations and guides by words they contain, and shows a message when nothing matches', async () => {
    const searchReference = async (asked: string) =>
      (await openPage(`/docs?q=${encodeURIComponent(asked)}`)).html;
    expect(await searchReference('archive TASK')).toContain('#archiveTask"');
    expect(await searchReference('notifications:write')).toContain('#markAllNotificationsRead"');
    expect(await searchReference('customEstimatedHours')).toContain('#createTask"');
    expect(await searchReference('idempotent replayed')).toContain(
      '<a href="/docs/retries">Retries</a><span>',
    );
    const nothing = await searchReference('<b>nowhere</b>');
    expect(nothing).toContain('No results.');
    expect(nothing).not.toContain('<b>nowhere');
  });

  it('shows example requests that work once a project id is filled in', async () => {
    const { people } = await createWorld();
    const key = await createApiKey(people.owner);
    const { html } = await openPage('/docs/api/projects');
    const [, shown = ''] = html.split('id="listProjects"');
    const [, address = ''] = /curl -s '([^']+)'/.exec(unescapeHtml(shown)) ?? [];
    expect((await api(key).get(address.replace(`${ORIGIN}/v1`, ''))).status).toBe(200);
    const tasks = unescapeHtml((await openPage('/docs/api/tasks')).html.split('id="createTask"')[1] ?? '');
    const [, body = ''] = /-d '([^']+)'/.exec(tasks) ?? [];
    const { data } = (await api(key).get('/projects')).body;
    const sent = { ...JSON.parse(body), projectId: data[0].id };
    expect((await api(key).post('/tasks', sent)).status).toBe(201);
  });

  it.each(['/docs/nowhere', '/docs/api/nowhere', '/docs/api/__proto__', '/docs/api'])(
    'shows a 404 page at %s',
    async (path) => {
      const { status, headers } = await openPage(path);
      expect([status, headers.get('Content-Type')]).toEqual([404, expect.stringContaining('text/html')]);
    },
  );
});
