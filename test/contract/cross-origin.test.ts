import { describe, expect, it } from 'vitest';
import { routes } from '../../src/registry.ts';
import { ORIGIN, send } from '../support/api.ts';
import { openApiDocument } from '../support/contract.ts';
import { fillPath } from './requests.ts';

interface DescribedOperation {
  parameters?: { in: string; name: string }[];
  requestBody?: object;
  security?: object[];
}

const describedOperations = Object.values(openApiDocument.paths).flatMap((each) =>
  Object.values(each),
) as DescribedOperation[];

const documentedHeaders = new Set(
  describedOperations.flatMap(({ parameters = [], requestBody, security }) => [
    ...parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()),
    ...(requestBody ? ['content-type'] : []),
    ...(security?.length === 0 ? [] : ['authorization']),
  ]),
);

describe('the response to a preflight request', () => {
  it('allows every documented request header', async () => {
    expect([...documentedHeaders].sort()).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'x-chunk-sha256']),
    );
    for (const route of routes) {
      const answer = await send(
        new Request(`${ORIGIN}/v1${fillPath(route)}`, {
          method: 'OPTIONS',
          headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': route.method },
        }),
      );
      const allowed = (answer.headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(',');
      expect(
        [...documentedHeaders].filter((name) => !allowed.includes(name)),
        route.path,
      ).toEqual([]);
      expect(answer.headers.get('Access-Control-Allow-Methods')).toContain(route.method);
    }
  });

  it('allows every request header that /v1 reads', () => {
    const sources = import.meta.glob('../../src/{kernel/http,files/uploads}/*.ts', {
      eager: true,
      query: '?raw',
      import: 'default',
    });
    // Browsers set this header without a preflight request.
    const byBrowser = ['content-length'];
    const read = Object.values(sources).flatMap((text) =>
      [...String(text).matchAll(/(?:req\.header|headers\.get)\('([\w-]+)'\)/g)].map(([, name = '']) =>
        name.toLowerCase(),
      ),
    );
    expect(read).toContain('x-chunk-sha256');
    expect(read.filter((name) => !documentedHeaders.has(name) && !byBrowser.includes(name))).toEqual([]);
  });
});
