import { beforeAll, describe, expect, it } from 'vitest';
import { listPathParameters, pickQueryInput } from '../../src/kernel/http/route.ts';
import { findAllowedMethods } from '../../src/kernel/http/unknown-endpoint.ts';
import { routes } from '../../src/registry.ts';
import { api, ORIGIN, send } from '../support/api.ts';
import { createWorkspace } from '../support/world.ts';
import {
  acceptsBody,
  buildRequestBody,
  buildRequestHeaders,
  fillPath,
  getRouteName,
  guardedRoutes,
} from './requests.ts';

let token: string;

beforeAll(async () => {
  token = (await createWorkspace()).people.owner.token;
});

describe('a request with an unknown parameter or field', () => {
  it('returns 400 with the name of the unknown query parameter, on every endpoint', async () => {
    for (const route of guardedRoutes) {
      const answer = await api(token).call(
        route.method,
        `${fillPath(route)}?nonsense=1`,
        buildRequestBody(route),
        buildRequestHeaders(route),
      );
      expect(answer.status, getRouteName(route)).toBe(400);
      expect(answer.body.error.code, getRouteName(route)).toBe('invalid_request');
      expect(answer.body.error.message, getRouteName(route)).toContain("'nonsense'");
    }
  });

  it('returns 400 with the closest valid query parameter, and lists the allowed parameters', async () => {
    for (const route of guardedRoutes) {
      if (route.method !== 'GET' || !('offset' in pickQueryInput(route).shape)) continue;
      const { body } = await api(token).get(`${fillPath(route)}?limti=5`);
      expect(body.error.message, getRouteName(route)).toMatch(
        /'limti' \(did you mean 'limit'\?\).*Allowed: .*offset/,
      );
    }
  });

  it('returns 400 with the name of the unknown body field, on every endpoint', async () => {
    for (const route of guardedRoutes.filter((each) => acceptsBody(each) && each.body === 'json')) {
      const { status, body } = await api(token).call(route.method, fillPath(route), {
        ...(buildRequestBody(route) as Record<string, unknown>),
        nonsense: 1,
      });
      expect(status, getRouteName(route)).toBe(400);
      expect(body.error.message, getRouteName(route)).toContain("'nonsense'");
    }
  });

  it('returns 400 with the closest valid name if the unknown field is in the fields parameter', async () => {
    const { status, body } = await api(token).get('/tasks?fields=id,nmae');
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/'nmae' \(did you mean 'name'\?\)/);
  });
});

describe('a request with an invalid limit or offset', () => {
  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'offset=-1',
    'offset=x',
    'limit=1&limit=2',
  ])('returns 400 on every list (%s)', async (query) => {
    for (const route of guardedRoutes) {
      if (route.method !== 'GET' || !('offset' in pickQueryInput(route).shape)) continue;
      const { status, body } = await api(token).get(`${fillPath(route)}?${query}`);
      expect(status, getRouteName(route)).toBe(400);
      expect(body.error.message, getRouteName(route)).toContain(query.split('=')[0]);
    }
  });
});

describe('a request with an invalid body', () => {
  it.each([
    ['broken JSON', '{"name":'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['text that is not JSON', 'name=x'],
  ])('returns 400 for %s on every endpoint that accepts a body', async (_what, text) => {
    for (const route of guardedRoutes.filter((each) => acceptsBody(each) && each.body === 'json')) {
      const { status, body } = await api(token).call(route.method, fillPath(route), text);
      expect(status, getRouteName(route)).toBe(400);
      expect(body.error.code, getRouteName(route)).toBe('invalid_request');
    }
  });

  it('returns 400 for a field that is unknown or belongs in the path, and lists the allowed fields', async () => {
    for (const route of guardedRoutes.filter((each) => acceptsBody(each) && each.body === 'json')) {
      for (const name of ['nothing', ...listPathParameters(route.path)]) {
        const { status, body } = await api(token).call(
          route.method,
          fillPath(route),
          JSON.stringify({ [name]: 1 }),
        );
        expect(status, getRouteName(route)).toBe(400);
        const [problem, allowed = ''] = body.error.message.split(' Allowed: ');
        expect(problem, getRouteName(route)).toContain(`unknown field '${name}'`);
        expect(
          allowed.split(', ').filter((each: string) => listPathParameters(route.path).includes(each)),
          getRouteName(route),
        ).toEqual([]);
      }
    }
  });

  it('returns 400 if the body is too large', async () => {
    const { status, body } = await api(token).post('/tasks', { projectId: 1, name: 'x'.repeat(1_100_000) });
    expect(status).toBe(400);
    expect(body.error.message).toContain('more than');
  });
});

describe('a request without a matching route', () => {
  it.each([
    ['with', true],
    ['without', false],
  ])('returns 404 for an unknown URL, %s a credential', async (_how, hasToken) => {
    const client = hasToken ? api(token) : api();
    for (const path of ['/nothing', '/tasks/1/nothing', '/taskss', '', '/', '/tasks/', '/tasks//comments']) {
      const { status, body, headers } = await client.get(path);
      expect([status, headers.get('Allow')], path).toEqual([404, null]);
      expect(headers.has('X-RateLimit-Remaining'), path).toBe(hasToken);
      expect(body.error.code, path).toBe('not_found');
    }
  });

  it('returns 404 for an unsupported method, and lists the supported methods', async () => {
    for (const path of new Set(routes.map((route) => fillPath(route)))) {
      const allowed = findAllowedMethods(routes, path) ?? [];
      const wrong = ['DELETE', 'PUT', 'PATCH', 'POST', 'GET'].find(
        (method) => !allowed.includes(method as 'GET'),
      );
      if (!wrong) continue;
      for (const client of [api(token), api()]) {
        const { status, body, headers } = await client.call(wrong, path);
        expect(status, `${wrong} ${path}`).toBe(404);
        expect(body.error.code).toBe('not_found');
        expect(headers.get('Allow')?.split(', ').sort()).toEqual([...allowed].sort());
      }
    }
  });

  it('returns 404 for a malformed id in the path', async () => {
    for (const path of [
      '/tasks/abc',
      '/tasks/1.5',
      '/tasks/-1',
      '/tasks/99999999999999999999',
      '/projects/x',
    ]) {
      const { status, body } = await api(token).get(path);
      expect(status, path).toBe(404);
      expect(body.error.code, path).toBe('not_found');
    }
  });
});

describe('every response', () => {
  it('has a request id, and forbids MIME sniffing and framing', async () => {
    for (const path of ['/v1/tasks', '/v1/nothing', '/health', '/operator', '/openapi.json', '/']) {
      const { headers } = await send(new Request(`${ORIGIN}${path}`));
      expect(headers.get('X-Request-Id'), path).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('X-Content-Type-Options'), path).toBe('nosniff');
      expect(headers.get('Content-Security-Policy'), path).toContain("frame-ancestors 'none'");
    }
  });

  it('to a preflight request allows pages from any origin to use the API', async () => {
    const preflight = await send(
      new Request(`${ORIGIN}/v1/tasks`, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://app.example',
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'authorization',
        },
      }),
    );
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PATCH');
  });
});
