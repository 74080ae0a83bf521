import { beforeAll, expect, it } from 'vitest';
import { pickQueryInput } from '../../../src/kernel/http/route.ts';
import {
  acceptsBody,
  buildRequestBody,
  fillPath,
  getRouteName,
  guardedRoutes,
} from '../../contract/requests.ts';
import { api } from '../../support/api.ts';
import { pickEveryNth } from '../../support/tier.ts';
import { createWorkspace } from '../../support/world.ts';
import { prototypeNames } from './hostile-values.ts';
import { type RawJson, writeJson } from './json.ts';

let token: string;

beforeAll(async () => {
  token = (await createWorkspace()).people.owner.token;
});

it('names such as __proto__ are rejected as unknown in bodies, queries, and the fields and expand parameters', async () => {
  for (const route of guardedRoutes) {
    if (route.body === 'bytes') continue;
    for (const name of pickEveryNth(3, prototypeNames)) {
      const asked = [`${name}=1`, ...(route.method === 'GET' ? [`fields=${name}`] : [])];
      if ('expand' in pickQueryInput(route).shape) asked.push(`expand=${name}`);
      for (const query of asked) {
        const { status, body, headers } = await api(token).call(
          route.method,
          `${fillPath(route)}?${query}`,
          buildRequestBody(route),
        );
        expect(status, `${getRouteName(route)}?${query}`).toBe(400);
        expect(body.error.message, `${getRouteName(route)}?${query}`).toContain(name);
        expect(headers.get('Error-Field'), `${getRouteName(route)}?${query}`).toBe(
          query.startsWith(`${name}=`) ? name : query.split('=')[0],
        );
      }
      if (!acceptsBody(route)) continue;
      const known = Object.entries(buildRequestBody(route) ?? {}).map(([key, value]): [string, RawJson] => [
        key,
        { raw: JSON.stringify(value) },
      ]);
      const text = writeJson({ members: [...known, [name, { members: [] }]] });
      const { status, body } = await api(token).call(route.method, fillPath(route), text);
      expect(status, `${getRouteName(route)} ${text}`).toBe(400);
      expect(body.error.message, `${getRouteName(route)} ${text}`).toContain(name);
    }
  }
});

it("a rejected request doesn't use up its idempotency key", async () => {
  for (const route of guardedRoutes.filter((each) => each.method !== 'GET' && each.body !== 'bytes')) {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const sendRequest = () =>
      api(token).call(route.method, fillPath(route), buildRequestBody(route), headers);
    const first = await sendRequest();
    if (first.status < 400) continue;
    const again = await sendRequest();
    expect([again.status, again.text], getRouteName(route)).toEqual([first.status, first.text]);
    expect(again.headers.has('Idempotent-Replayed'), getRouteName(route)).toBe(false);
  }
});
