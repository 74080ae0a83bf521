import { afterEach, describe, expect, it, vi } from 'vitest';
import { blobColumns, doubleColumns, writeDataPoint } from '../../../src/kernel/telemetry/data-points.ts';
import { TestBrowser } from '../../oauth/flow.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env } from '../../support/env.ts';
import { createApiKey, createTask, createWorld } from '../../support/world.ts';

afterEach(() => vi.restoreAllMocks());

type DataPoint = Record<string, string | number>;

function recordMetrics() {
  const points: DataPoint[] = [];
  const METRICS: AnalyticsEngineDataset = {
    writeDataPoint({ blobs = [], doubles = [], indexes = [] } = {}) {
      expect(indexes).toHaveLength(1);
      expect(new TextEncoder().encode(String(indexes[0])).length).toBeLessThanOrEqual(96);
      const values = [
        ...blobColumns.map((name, at) => [name, blobs[at]]),
        ...doubleColumns.map((name, at) => [name, doubles[at]]),
      ];
      points.push(Object.fromEntries(values));
    },
  };
  return { points, METRICS };
}

function recordLines() {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => lines.push(JSON.parse(text)));
  return lines;
}

describe('a metrics data point', () => {
  it('stays within the limits of Analytics Engine', () => {
    expect(blobColumns.length).toBeLessThanOrEqual(20);
    expect(doubleColumns.length).toBeLessThanOrEqual(20);
    const { points, METRICS } = recordMetrics();
    writeDataPoint({ METRICS }, { kind: 'request', name: `POST /mcp ${'find_tasks '.repeat(50)}` });
    expect(points).toHaveLength(1);
  });

  it('is written once per request, with the route but never the path', async () => {
    const { people, cell, projects } = await createWorld();
    const task = await createTask(people.owner, projects.joined.id);
    const key = await createApiKey(people.owner);
    const { points, METRICS } = recordMetrics();
    const VERSION = { id: 'version-1', tag: '', timestamp: '' };
    const { cost } = await api(key, { METRICS, VERSION }).get(`/tasks/${task.id}`);
    expect(points).toEqual([
      {
        kind: 'request',
        name: 'GET /v1/tasks/:id',
        method: 'GET',
        outcome: '200',
        cell: String(cell),
        credential: 'api_key',
        version: 'version-1',
        place: '',
        count: 1,
        ms: expect.any(Number),
        database_ms: expect.any(Number),
        trips: cost.trips,
        rows_read: cost.rowsRead,
        rows_written: 0,
        database_bytes: expect.any(Number),
        status: 200,
      },
    ]);
    expect(points[0]?.database_bytes).toBeGreaterThan(10_000);
  });

  it('contains the route of a page, but never an unknown path', async () => {
    const { points, METRICS } = recordMetrics();
    const browser = new TestBrowser();
    for (const path of [
      '/',
      '/sign-in',
      '/health',
      '/calendar/secret',
      '/nowhere/secret',
      '/app/ws_1/secret',
    ])
      await browser.get(path, { METRICS });
    expect(points.map(({ name, outcome, cell }) => [name, outcome, cell])).toEqual([
      ['GET /', '200', ''],
      ['GET /sign-in', '200', ''],
      ['GET /health', '200', ''],
      ['GET /calendar/:feed', '404', ''],
      ['GET (none)', '404', ''],
      ['GET (none)', '303', ''],
    ]);
  });

  it('is written once per cron run for each database that has a due job', async () => {
    const { points, METRICS } = recordMetrics();
    const insert = "INSERT INTO idempotency_keys (id, request, created_at) VALUES ('old', 'x', 1)";
    await env.CELL_1.prepare(insert).run();
    await runCron('* * * * *', { METRICS });
    const written = points.filter(({ kind }) => kind === 'cron');
    expect(written.filter((each) => each.cell !== '0')).toMatchObject([
      { name: '* * * * *', cell: '' },
      { name: '* * * * *', cell: '1' },
    ]);
  });

  it("doesn't make the request fail if it can't be written", async () => {
    const { people } = await createWorld();
    const METRICS: AnalyticsEngineDataset = {
      writeDataPoint() {
        throw new Error('no more data points');
      },
    };
    expect((await api(people.member.token, { METRICS }).get('/me')).status).toBe(200);
    expect((await api(people.member.token, { METRICS: undefined as never }).get('/me')).status).toBe(200);
  });
});

describe("a request's log line", () => {
  const NONE = { LOG_SAMPLE_RATE: '0' };

  it("isn't written for ordinary requests outside the sample", async () => {
    const { people } = await createWorld();
    const lines = recordLines();
    await api(people.member.token, NONE).get('/me');
    await api(undefined, NONE).get('/me');
    await api(people.member.token, { LOG_SAMPLE_RATE: '1' }).get('/me');
    expect(lines).toMatchObject([{ event: 'request', status: 200, sample_rate: 1 }]);
  });

  it('records the sample rate, so that counts can be extrapolated', async () => {
    const { people } = await createWorld();
    const lines = recordLines();
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.24).mockReturnValueOnce(0.26);
    await api(people.member.token, { LOG_SAMPLE_RATE: '0.25' }).get('/me');
    await api(people.member.token, { LOG_SAMPLE_RATE: '0.25' }).get('/projects');
    expect(lines).toMatchObject([{ route: 'GET /v1/me', sample_rate: 0.25 }]);
  });

  it("is always written for server errors, and for authenticated callers' client errors other than 429", async () => {
    const { people } = await createWorld();
    vi.spyOn(console, 'error').mockReturnValue();
    const lines = recordLines();
    const { token } = people.member;
    await api(token, NONE).get('/tasks/999999999');
    const broken = { prepare: () => ({}), batch: () => Promise.reject(new Error('broken')) };
    const databases = { CELL_0: broken, CELL_1: broken } as unknown as Partial<Env>;
    await send(new Request(`${ORIGIN}/v1/me`, { headers: { Authorization: `Bearer ${token}` } }), {
      ...NONE,
      ...databases,
    });
    expect(lines.map(({ status }) => status)).toEqual([404, 500]);
  });

  it('is always written if the databases take at least a second, but not because of other delays', async () => {
    const { people } = await createWorld();
    const lines = recordLines();
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
    const slowDown = (database: D1Database) =>
      ({
        prepare: (sql: string) => database.prepare(sql),
        async batch(all: D1PreparedStatement[]) {
          const results = await database.batch(all);
          clock.mockReturnValue(now + 1_000);
          return results;
        },
      }) as unknown as D1Database;
    await api(people.member.token, {
      ...NONE,
      CELL_0: slowDown(env.CELL_0),
      CELL_1: slowDown(env.CELL_1),
    } as never).get('/me');
    expect(lines).toMatchObject([{ status: 200, database_ms: 1_000, sample_rate: 1 }]);
    clock.mockReturnValueOnce(now - 60_000);
    await api(people.member.token, NONE).get('/me');
    expect(lines).toHaveLength(1);
  });

  it('is written for only a sample of 401 and 429 responses, because anyone can cause them repeatedly', async () => {
    const { people } = await createWorld();
    const lines = recordLines();
    const full = { allowed: false, limit: 1, remaining: 0, resetSeconds: 60 };
    const RATE_WINDOW = { getByName: () => ({ hit: async () => full }) } as never;
    const limited = { ...NONE, RATE_WINDOW, ENFORCE_REST_RATE_LIMIT: 'true' };
    expect((await api(people.member.token, limited).get('/me')).status).toBe(429);
    expect((await api(undefined, NONE).get('/me')).status).toBe(401);
    expect(lines).toEqual([]);
  });
});
