import { expect, it } from 'vitest';
import { assets } from '../../../src/web/page-model/assets.ts';
import { ORIGIN, send } from '../../support/api.ts';

const getPage = (path: string, variables: Partial<Env> = {}) =>
  send(new Request(`${ORIGIN}${path}`), variables);

it("the landing page shows a screenshot in the visitor's color scheme", async () => {
  const html = await (await getPage('/')).text();
  for (const picture of [assets.boardLight, assets.boardDark]) expect(html).toContain(`="${picture}"`);
  expect(html).toMatch(/<img[^>]* width="1280" height="800" alt="[^"]+"/);
});

it('the landing page has no scripts, and links to the reference', async () => {
  const answer = await getPage('/');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toContain('text/html');
  expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'; style-src 'self'");
  const html = await answer.text();
  expect(html).toMatch(/^<!doctype html><html lang="en">/);
  expect(html).toContain('href="/docs"');
  expect(html).not.toContain('<script');
});

it('the OpenAPI document of this deployment can be fetched from any origin', async () => {
  const answer = await getPage('/openapi.json');
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: `${ORIGIN}/v1` }] });
});

it('the health check reports whether the databases respond, but not which one fails', async () => {
  const healthy = await getPage('/health');
  expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }]);
  const broken = {
    prepare() {
      throw new Error('D1_ERROR: overloaded');
    },
  } as unknown as D1Database;
  const sick = await getPage('/health', { CELL_0: broken });
  expect([sick.status, await sick.json()]).toEqual([503, { status: 'unavailable' }]);
});

it('the URL of a stylesheet contains a hash', async () => {
  expect(await (await getPage('/')).text()).toContain(`<link rel="stylesheet" href="${assets.common}"`);
  expect(assets.common).toMatch(/^\/assets\/common-[\w-]{10}\.css$/);
});
