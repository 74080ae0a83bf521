import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { ORIGIN } from '../../support/api.ts';
import { env } from '../../support/env.ts';

const KEY = 'a-key-for-the-health-check-0123456789';
const ALL_BINDINGS = ['DIRECTORY', 'CELL_0', 'CELL_1', 'FILES'];

/**
 * Creates a separate deployment, so that no earlier check is cached, and records the queries to its databases and
 * bucket.
 */
function createDeployment({
  key,
  broken = [],
  silent,
}: {
  key?: string;
  broken?: string[];
  silent?: string;
} = {}) {
  const asked: string[] = [];
  const respond = async (name: string) => {
    asked.push(name);
    if (name === silent) return new Promise(() => undefined);
    await scheduler.wait(10);
    if (broken.includes(name)) throw new Error('D1_ERROR: overloaded');
    return { ok: 1 };
  };
  const createDatabase = (name: string) => ({ prepare: () => ({ first: () => respond(name) }) });
  const bindings = {
    ...env,
    ...(key !== undefined && { HEALTH_KEY: key }),
    DIRECTORY: createDatabase('DIRECTORY'),
    CELL_0: createDatabase('CELL_0'),
    CELL_1: createDatabase('CELL_1'),
    FILES: { head: () => respond('FILES') },
  } as unknown as Env;
  return {
    asked,
    async ask(sent?: string) {
      const context = createExecutionContext();
      const headers: Record<string, string> = sent === undefined ? {} : { Authorization: `Bearer ${sent}` };
      const request = new Request<unknown, IncomingRequestCfProperties>(`${ORIGIN}/health`, { headers });
      const answer = await worker.fetch(request, bindings, context);
      await waitOnExecutionContext(context);
      return [answer.status, await answer.json()];
    },
  };
}

const healthyResponse = [200, { status: 'ok' }];
const unavailableResponse = [503, { status: 'unavailable' }];

afterEach(() => {
  vi.useRealTimers();
});

describe('the health check', () => {
  it('checks each database and the bucket at most once every ten seconds, however many requests arrive', async () => {
    const { ask, asked } = createDeployment();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    expect(await Promise.all(Array.from({ length: 50 }, () => ask()))).toEqual(
      Array(50).fill(healthyResponse),
    );
    vi.setSystemTime(Date.now() + 9_999);
    expect(await ask()).toEqual(healthyResponse);
    expect(asked.sort()).toEqual([...ALL_BINDINGS].sort());
    vi.setSystemTime(Date.now() + 1);
    expect(await ask()).toEqual(healthyResponse);
    expect(asked).toHaveLength(2 * ALL_BINDINGS.length);
  });

  it('queries only the directory database if a health key is set and the request lacks it', async () => {
    const { ask, asked } = createDeployment({ key: KEY, broken: ['CELL_1'] });
    for (const sent of [undefined, 'wrong', `${KEY}x`]) expect(await ask(sent)).toEqual(healthyResponse);
    expect(asked).toEqual(['DIRECTORY']);
    expect(await ask(KEY)).toEqual(unavailableResponse);
    expect(asked.slice(1).sort()).toEqual([...ALL_BINDINGS].sort());
  });

  it.each(ALL_BINDINGS)('returns 503 if %s fails', async (name) => {
    const { ask } = createDeployment({ broken: [name] });
    expect(await ask()).toEqual(unavailableResponse);
  });

  it("returns 503 if a database doesn't respond in time", async () => {
    const { ask } = createDeployment({ silent: 'CELL_0' });
    expect(await Promise.all([ask(), ask()])).toEqual([unavailableResponse, unavailableResponse]);
  });
});
