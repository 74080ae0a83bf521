import { evictDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { log } from '../../../src/kernel/operation/log.ts';
import { listRecentErrors, reportErrors } from '../../../src/kernel/operation/report-errors.ts';
import type { RecordedError } from '../../../src/kernel/telemetry/recent-errors.ts';
import { takeErrors } from '../../../src/kernel/telemetry/recent-errors.ts';
import { toSafeMessage } from '../../../src/kernel/telemetry/safe-message.ts';
import { ORIGIN, send } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { pollUntil } from '../../support/timeout.ts';

const getErrorLog = () => env.ERROR_LOG.getByName('errors');
/** An isolate reports errors at most once every ten seconds, so `report` advances this time by a minute. */
let now = Date.now();

async function report(bindings: Partial<Env> = {}) {
  now += 60_000;
  const work: Promise<unknown>[] = [];
  reportErrors({ ...env, ...bindings }, (each) => work.push(each), now);
  await Promise.all(work);
  return work.length;
}

const listErrors = async (event: string) =>
  (await listRecentErrors(env))?.filter((error) => error.event === event) ?? [];

beforeEach(() => {
  takeErrors();
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

describe('logged errors', () => {
  it('are grouped by message and origin, counted, and kept after an eviction', async () => {
    for (const [task, id] of [
      ["'write the FAQ'", 'request-1'],
      ["'call Mara'", 'request-2'],
    ])
      log('error', 'test.grouped', {
        id,
        route: 'GET /v1/tasks/:id',
        cause: `Error: no task ${task}\n  at x`,
      });
    log('error', 'test.grouped', { job: 'uploads.expire 0', cause: 'Error: no task' });
    await report();
    await evictDurableObject(getErrorLog());
    log('error', 'test.grouped', {
      id: 'request-3',
      route: 'GET /v1/tasks/:id',
      cause: "Error: no task 'x'",
    });
    await report();
    expect(await listErrors('test.grouped')).toEqual([
      {
        event: 'test.grouped',
        place: 'GET /v1/tasks/:id',
        message: 'Error: no task <text>',
        count: 3,
        firstAt: expect.any(Number),
        lastAt: expect.any(Number),
        requestId: 'request-3',
      },
      expect.objectContaining({ place: 'uploads.expire 0', message: 'Error: no task', count: 1 }),
    ]);
  });

  it('are kept in at most 200 groups, and the oldest groups are dropped first', async () => {
    for (let batch = 0; batch < 5; batch += 1) {
      const errors = Array.from({ length: 45 }, (_, at): RecordedError => {
        const lastAt = batch * 45 + at;
        const place = `place ${lastAt}`;
        return { event: 'test.many', place, message: '', count: 1, firstAt: lastAt, lastAt, requestId: null };
      });
      await getErrorLog().record(errors);
    }
    const all = (await listRecentErrors(env)) ?? [];
    expect(all).toHaveLength(200);
    expect(all.slice(0, 2).map(({ place }) => place)).toEqual(['place 224', 'place 223']);
    await evictDurableObject(getErrorLog());
    expect(await listRecentErrors(env)).toHaveLength(200);
  });

  it('are reported at most every ten seconds per isolate, without dropping errors in between', async () => {
    log('error', 'test.paused', { cause: 'one' });
    expect(await report()).toBe(1);
    log('error', 'test.paused', { cause: 'two' });
    const work: unknown[] = [];
    reportErrors(env, (each) => work.push(each), now + 9_000);
    expect(work).toEqual([]);
    expect(await report()).toBe(1);
    expect((await listErrors('test.paused')).map(({ message }) => message)).toEqual(['two', 'one']);
    expect(await report()).toBe(0);
  });

  it('are limited to 50 kinds per report', async () => {
    for (let kind = 0; kind < 80; kind += 1) log('error', `test.kind${kind}`);
    expect(takeErrors()).toHaveLength(50);
  });

  it('are counted in the metrics', async () => {
    const points: (AnalyticsEngineDataPoint | undefined)[] = [];
    const METRICS: AnalyticsEngineDataset = { writeDataPoint: (point) => points.push(point) };
    for (let n = 0; n < 3; n += 1) log('error', 'cron.failed', { job: 'uploads.expire 0', cause: 'Error' });
    await report({ METRICS });
    expect(
      points.map((point) => [point?.blobs?.slice(0, 2), point?.blobs?.at(-1), point?.doubles?.[0]]),
    ).toEqual([[['error', 'cron.failed'], 'uploads.expire 0', 3]]);
  });

  it("never make a request fail, even if they can't be stored", async () => {
    log('error', 'test.unstored');
    const rejectQuery = () => Promise.reject(new Error('overloaded'));
    const broken = { getByName: () => ({ record: rejectQuery, list: rejectQuery }) } as never;
    await expect(report({ ERROR_LOG: broken })).resolves.toBe(1);
    log('error', 'test.unstored');
    await expect(report({ ERROR_LOG: undefined as never })).resolves.toBe(1);
    expect(await listRecentErrors({ ...env, ERROR_LOG: broken })).toBeNull();
  });

  it('are stored after the response, even if the databases are down', async () => {
    const down = {
      prepare: () => ({ bind: () => ({}) }),
      batch: () => Promise.reject(new Error('D1_ERROR: the lights are out')),
    } as unknown as D1Database;
    vi.spyOn(Date, 'now').mockReturnValue(now + 600_000);
    const answer = await send(
      new Request(`${ORIGIN}/v1/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'mara@example.com', password: 'a long pass phrase' }),
      }),
      { DIRECTORY: down, CELL_0: down, CELL_1: down } as Partial<Env>,
    );
    expect(answer.status).toBeGreaterThanOrEqual(500);
    await pollUntil(async () => (await listErrors('request.failed')).length > 0);
    expect(await listErrors('request.failed')).toMatchObject([
      { place: 'POST /v1/auth/login', requestId: answer.headers.get('X-Request-Id') },
    ]);
  });
});

describe("an error's logged message", () => {
  it.each([
    ['Error: no such address mara.lind+x@example.co.uk', 'Error: no such address <email>'],
    ['E_RECIPIENT: <mara@example.com> is suppressed', 'E_RECIPIENT: <<email>> is suppressed'],
    ['TypeError: fetch https://user:pass@example.com/a?token=b failed', 'TypeError: fetch <url> failed'],
    ['Error: key ew_live_00aBcDeFgHiJkLmNoPqRsTuVwXyZ12 is bad', 'Error: key <id> is bad'],
    ['Error: session 3kTq9-bnM_aXw02LrPzYv8sQe1g', 'Error: session <id>'],
    ['Error: 0b5f2c1e-77aa-4d36-9f65-0d3d0c9ae111 is gone', 'Error: <id> is gone'],
    ['Error: 203.0.113.77 and 2001:db8::8a2e:370:7334 hung up', 'Error: <ip> and <ip> hung up'],
    ['Error: cannot read "Write FAQ" of `x`', 'Error: cannot read <text> of <text>'],
    ['Error: 1764262800000 ms\n    at secret (index.js:1:2)', 'Error: <number> ms'],
    ['D1_ERROR: UNIQUE constraint failed: users.email: SQLITE_CONSTRAINT', null],
    ['Error: CELL_1 is not bound; see docs/scaling.md', null],
    ['Error: The S3 endpoint returned 503 after 12:30:45', null],
  ])('omits only values that could be secret or personal: %s', (cause, message) => {
    expect(toSafeMessage(cause)).toBe(message ?? cause);
  });

  it('has at most 200 characters, and is built quickly even if the original message is long', () => {
    for (const text of ['a', 'a@', "'", ':', '1.', 'https://', 'a_']) {
      expect(toSafeMessage(text.repeat(500_000)).length).toBeLessThanOrEqual(200);
    }
  });
});
