import { Hono } from 'hono';
import { html } from 'hono/html';
import { readBrowser, readSessionHash } from '../../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { pathDescriptions, routes } from '../../../registry.ts';
import { sendPage } from '../../server/page-response.ts';
import { getApiReference } from './api-reference.ts';
import { DeprecationsSection } from './deprecations.view.tsx';
import { guides, readGuides, replaceExampleOrigin } from './guides.ts';
import { buildLlmsText } from './llms-text.ts';
import {
  GuidePage,
  OperationGroupPage,
  ReferenceOverviewPage,
  SearchResultsPage,
} from './reference.view.tsx';
import { findEndpoints, findGuides } from './search-reference.ts';

const SEARCH_CHARACTERS_MAX = 200;

export const referencePages = new Hono<HttpEnv>();

referencePages.get('/openapi.json', (c) => {
  c.header('Cache-Control', 'public, max-age=300');
  const { text } = getApiReference(c.get('scope').origin);
  return c.body(text, 200, { 'Content-Type': 'application/json' });
});

referencePages.get('/llms.txt', (c) => {
  c.header('Cache-Control', 'public, max-age=300');
  return c.text(buildLlmsText({ origin: c.get('scope').origin, guides, groups: pathDescriptions }));
});

referencePages.get('/docs/', (c) => c.redirect('/docs', 301));

referencePages.get('/docs', async (c) => {
  const query = (c.req.query('q') ?? '').trim().slice(0, SEARCH_CHARACTERS_MAX);
  const layoutProps = await buildLayoutProps(c);
  if (query === '')
    return sendPage(c, <ReferenceOverviewPage {...layoutProps} origin={c.get('scope').origin} />);
  const [found, foundGuides] = [
    findEndpoints(layoutProps.reference, query),
    findGuides((await readGuides(c.env)).texts, query),
  ];
  return sendPage(
    c,
    <SearchResultsPage {...layoutProps} query={query} found={found} foundGuides={foundGuides} />,
  );
});

referencePages.get('/docs/api/:group', async (c) => {
  const layoutProps = await buildLayoutProps(c);
  const group = c.req.param('group');
  const endpoints = layoutProps.reference.groups.get(group);
  if (!endpoints) return c.notFound();
  return sendPage(
    c,
    <OperationGroupPage
      {...layoutProps}
      group={group}
      endpoints={endpoints}
      origin={c.get('scope').origin}
    />,
    200,
    { hasScript: true },
  );
});

referencePages.get('/docs/examples/:name', async (c) => {
  const { examples } = await readGuides(c.env);
  const name = c.req.param('name');
  const source = Object.hasOwn(examples, name) ? examples[name] : undefined;
  if (source === undefined) return c.notFound();
  return c.text(replaceExampleOrigin(source, c.get('scope').origin));
});

referencePages.get('/docs/:guide', async (c) => {
  const guide = guides.find(({ slug }) => slug === c.req.param('guide'));
  if (!guide) return c.notFound();
  const { texts } = await readGuides(c.env);
  const text = replaceExampleOrigin(texts[guide.slug] ?? '', String(await html`${c.get('scope').origin}`));
  const before = guide.slug === 'changelog' ? <DeprecationsSection routes={routes} /> : null;
  return sendPage(
    c,
    <GuidePage {...(await buildLayoutProps(c))} guide={guide} before={before} text={text} />,
  );
});

async function buildLayoutProps(c: HttpContext) {
  // Visitors without a cookie don't get one from this page.
  const isSignedIn = readSessionHash(c) !== null && (await readBrowser(c)).person !== null;
  return { isSignedIn, guides, reference: getApiReference(c.get('scope').origin) };
}
