import { beforeAll, expect, it } from 'vitest';
import { pickQueryInput } from '../../../src/kernel/http/route.ts';
import { bodyFor, fill, guardedRoutes, nameOf, takesBody } from '../../contract/requests.ts';
import { api } from '../../support/api.ts';
import { pickEveryNth } from '../../support/tier.ts';
import { createWorkspace } from '../../support/world.ts';
import { prototypeNames } from './hostile.ts';
import { type RawJson, writeJson } from './json.ts';

let token: string;

beforeAll(async () => {
  token = (await createWorkspace()).people.owner.token;
});

it('names from Object.prototype are rejected as unknown in bodies, queries, and the fields and expand parameters', async () => {
  for (const route of guardedRoutes) {
    if (route.body === 'bytes') continue;
    for (const name of pickEveryNth(3, prototypeNames)) {
      const asked = [`${name}=1`, ...(route.method === 'GET' ? [`fields=${name}`] : [])];
      if ('expand' in pickQueryInput(route).shape) asked.push(`expand=${name}`);
      for (const query of asked) {
        const { status, body, headers } = await api(token).call(
          route.method,
          `${fill(route)}?${query}`,
          bodyFor(route),
        );
        expect(status, `${nameOf(route)}?${query}`).toBe(400);
        expect(body.error.message, `${nameOf(route)}?${query}`).toContain(name);
        expect(headers.get('Error-Field'), `${nameOf(route)}?${query}`).toBe(
          query.startsWith(`${name}=`) ? name : query.split('=')[0],
        );
      }
      if (!takesBody(route)) continue;
      const known = Object.entries(bodyFor(route) ?? {}).map(([key, value]): [string, RawJson] => [
        key,
        { raw: JSON.stringify(value) },
      ]);
      const text = writeJson({ members: [...known, [name, { members: [] }]] });
      const { status, body } = await api(token).call(route.method, fill(route), text);
      expect(status, `${nameOf(route)} ${text}`).toBe(400);
      expect(body.error.message, `${nameOf(route)} ${text}`).toContain(name);
    }
  }
});

it("a rejected request doesn't use up its idempotency key", async () => {
  for (const route of guardedRoutes.filter((each) => each.method !== 'GET' && each.body !== 'bytes')) {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const send = () => api(token).call(route.method, fill(route), bodyFor(route), headers);
    const first = await send();
    if (first.status < 400) continue;
    const again = await send();
    expect([again.status, again.text], nameOf(route)).toEqual([first.status, first.text]);
    expect(again.headers.has('Idempotent-Replayed'), nameOf(route)).toBe(false);
  }
});
