import { createExecutionContext } from 'cloudflare:test';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createRestHandler, type HttpEnv } from '../../../src/kernel/http/http.ts';
import { buildRestWords } from '../../../src/kernel/http/rest-words.ts';
import { defineRoute } from '../../../src/kernel/http/route.ts';
import { buildOpenApiDocument } from '../../../src/kernel/openapi/openapi.ts';
import { createDeprecation, deprecateInput } from '../../../src/kernel/operation/deprecation.ts';
import { defineOperation } from '../../../src/kernel/operation/operation.ts';
import { OperationResponse } from '../../../src/kernel/operation/operation-response.ts';
import { apiDescription, routes } from '../../../src/registry.ts';
import { DeprecationsSection } from '../../../src/web/pages/reference/deprecations.view.tsx';
import { ORIGIN } from '../../support/api.ts';
import { openScope } from '../../support/scope.ts';

const deprecatedSort = deprecateInput(
  z
    .array(z.enum(['name', 'age']))
    .optional()
    .meta({ description: 'The order.' }),
  createDeprecation('2026-06-01', '2027-12-01', 'Use order instead.'),
);
const output = z.object({ id: z.int() }).meta({ id: 'ThrowAway' });
const baseSpec = { access: 'public', capability: null, effect: 'write', output } as const;

/** These operations exist only in this file, because nothing in the API is deprecated. */
const [oldOperation, oldParameter, current] = [
  defineOperation(
    {
      ...baseSpec,
      name: 'getOld',
      summary: 'Get the old thing',
      description: 'Returns a thing.',
      input: z.strictObject({ sort: deprecatedSort }),
      deprecated: createDeprecation('2026-03-01', '2027-03-01', 'Use getCurrent instead.'),
    },
    async () => ({ id: 1 }),
  ),
  defineOperation(
    {
      ...baseSpec,
      name: 'listOld',
      summary: 'List things',
      input: z.strictObject({ sort: deprecatedSort, cursor: z.string().optional() }),
    },
    async () => new OperationResponse({ id: 1 }, { nextCursor: 'next' }),
  ),
  defineOperation(
    { ...baseSpec, name: 'getCurrent', summary: 'Get the current thing', input: z.strictObject({}) },
    async () => ({ id: 1 }),
  ),
];
const deprecatedRoutes = [
  defineRoute('POST', '/old', oldOperation, { inQuery: ['sort'] }),
  defineRoute('POST', '/things', oldParameter, { inQuery: ['sort', 'cursor'] }),
  defineRoute('POST', '/current', current),
];

async function postTo(path: string): Promise<Response> {
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    c.set('scope', { ...openScope(), origin: ORIGIN });
    await next();
  });
  // Public operations use none of these services.
  const services = {
    authenticate: () => null,
    createRateLimiter: () => null,
    createIdempotencyKey: () => null,
  };
  for (const route of deprecatedRoutes)
    app.post(
      `/v1${route.path}`,
      createRestHandler(route, services as never, buildRestWords(deprecatedRoutes)),
    );
  return app.fetch(new Request(`${ORIGIN}/v1${path}`, { method: 'POST' }), {}, createExecutionContext());
}

const changelogLink = `<${ORIGIN}/docs/changelog>; rel="deprecation"; type="text/html"`;

describe('the deprecation of an operation or parameter', () => {
  it('is announced in each response, with its dates and a link to the documentation', async () => {
    const { status, headers } = await postTo('/old');
    expect([status, headers.get('Deprecation'), headers.get('Sunset'), headers.get('Link')]).toEqual([
      200,
      `@${Date.UTC(2026, 2, 1) / 1000}`,
      'Mon, 01 Mar 2027 00:00:00 GMT',
      changelogLink,
    ]);
  });

  it('is announced for a parameter only if the request contains it, without replacing the link to the next page', async () => {
    const without = await postTo('/things');
    expect([without.status, without.headers.has('Deprecation'), without.headers.has('Sunset')]).toEqual([
      200,
      false,
      false,
    ]);
    const { headers } = await postTo('/things?sort=name,age');
    expect([headers.get('Deprecation'), headers.get('Sunset')]).toEqual([
      `@${Date.UTC(2026, 5, 1) / 1000}`,
      'Wed, 01 Dec 2027 00:00:00 GMT',
    ]);
    expect(headers.get('Link')).toMatch(/rel="next", <[^>]+>; rel="deprecation"/);
  });

  it('is announced with the earlier dates if both an operation and its parameter are deprecated', async () => {
    const { headers } = await postTo('/old?sort=name');
    expect(headers.get('Deprecation')).toBe(`@${Date.UTC(2026, 2, 1) / 1000}`);
    expect(headers.get('Sunset')).toBe('Mon, 01 Mar 2027 00:00:00 GMT');
  });

  it("isn't announced in the responses of other operations", async () => {
    const { headers } = await postTo('/current');
    expect([headers.has('Deprecation'), headers.has('Sunset'), headers.has('Link')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is documented in the OpenAPI document, with a replacement', () => {
    const document = JSON.parse(
      JSON.stringify(buildOpenApiDocument(deprecatedRoutes, apiDescription, ORIGIN)),
    );
    const { post: old } = document.paths['/old'];
    expect([old.deprecated, old.description]).toEqual([
      true,
      'Returns a thing. Deprecated since 1 March 2026. Will work at least until 1 March 2027. Use getCurrent instead.',
    ]);
    const [parameter] = document.paths['/things'].post.parameters;
    expect(parameter).toMatchObject({
      name: 'sort',
      deprecated: true,
      explode: false,
      description:
        'The order. Deprecated since 1 June 2026. Will work at least until 1 December 2027. Use order instead.',
    });
    expect(document.paths['/things'].post.deprecated).toBeUndefined();
    expect(Object.keys(document.paths['/things'].post.responses[200].headers)).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    );
    expect(Object.keys(document.paths['/current'].post.responses[200].headers)).not.toContain('Sunset');
    expect(document.components.headers).toHaveProperty('Sunset');
  });

  it('is listed in the changelog', () => {
    const html = String(DeprecationsSection({ routes: deprecatedRoutes }));
    expect(html).toContain(
      '<li><code>POST /v1/old</code>: Deprecated since 1 March 2026. Will work at least until 1 March 2027. Use getCurrent instead.</li>',
    );
    expect(html).toContain(
      '<li><code>POST /v1/things</code>, <code>sort</code>: Deprecated since 1 June 2026.',
    );
    expect(html).not.toContain('/v1/current');
    expect(String(DeprecationsSection({ routes }))).toContain('Nothing in the API is deprecated.');
  });

  it.each([
    ['2026-03-01', '2027-02-28'],
    ['2026-03-01', '2026-03-01'],
    ['2026-03-01', 'soon'],
  ])("requires at least 12 months' notice (announced: %s, ends: %s)", (since, until) => {
    expect(() => createDeprecation(since, until, 'Use another one.')).toThrow('must work for 12 months');
  });
});
