// This file is long because its tests share the functions that sign in an operator and read the page.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appendSeal } from '../../../src/kernel/secrets/seal.ts';
import type { RecordedError } from '../../../src/kernel/telemetry/recent-errors.ts';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { ORIGIN, readCost } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

const OPERATOR_KEY = 'only-for-tests-operator-0123456789';
const OPERATOR_VARIABLES = { OPERATOR_KEY };
const COOKIE = '__Host-ew_operator';
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

afterEach(() => vi.restoreAllMocks());

async function signIn(browser = new TestBrowser()): Promise<TestBrowser> {
  const answer = await browser.post('/operator', { key: OPERATOR_KEY }, {}, OPERATOR_VARIABLES);
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/operator']);
  return browser;
}

async function openPage(browser: TestBrowser, variables: Partial<Env> = {}): Promise<string> {
  const answer = await browser.get('/operator', { ...OPERATOR_VARIABLES, ...variables });
  expect(answer.status).toBe(200);
  return answer.text();
}

const readCsrfToken = (html: string) => readFormFields(html).csrf ?? '';

const toText = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

async function insertMail(values: Partial<Record<string, string | number | null>> = {}): Promise<number> {
  const mail = {
    recipient: 'private@example.com',
    subject: 'A private subject',
    text: 'private text',
    html: 'private text',
    created_at: Date.now() - DAY_MS,
    attempts: 10,
    next_attempt_at: null,
    last_error: 'E_RECIPIENT_SUPPRESSED: private@example.com is suppressed',
    ...values,
  };
  const names = Object.keys(mail);
  const row = await env.DIRECTORY.prepare(
    `INSERT INTO outbox (${names}) VALUES (${names.map(() => '?')}) RETURNING id`,
  )
    .bind(...Object.values(mail))
    .first<{ id: number }>();
  return row?.id ?? 0;
}

const readNextAttempts = async (ids: readonly number[]) => {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT next_attempt_at AS next FROM outbox WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
  )
    .bind(JSON.stringify(ids))
    .all<{ next: number | null }>();
  return results.map(({ next }) => next);
};

const unavailableDatabase = {
  prepare: () => ({ bind: () => ({}) }),
  batch: () => Promise.reject(new Error('D1_ERROR: the lights are out')),
} as unknown as D1Database;

beforeEach(() => env.DIRECTORY.prepare('DELETE FROM outbox').run());

describe('the operator page', () => {
  it.each([
    ['without a key', {}],
    ['with a key of 31 characters', { OPERATOR_KEY: OPERATOR_KEY.slice(0, 31) }],
  ])("isn't found in a deployment %s", async (_, variables) => {
    const browser = await signIn();
    const unknown = await (await browser.get('/nowhere', variables)).text();
    for (const path of ['/operator', '/operator/emails', '/operator/sign-out']) {
      const shown = await browser.get(path, variables);
      expect([path, shown.status, await shown.text()]).toEqual([path, 404, unknown]);
      const sent = await browser.post(path, { key: OPERATOR_KEY }, {}, variables);
      expect([path, sent.status]).toEqual([path, 404]);
      const large = await browser.post(path, { key: 'x'.repeat(20_000) }, {}, variables);
      expect([path, large.status]).toEqual([path, 404]);
    }
  });

  it('requires the key, and shows nothing without it', async () => {
    const browser = new TestBrowser();
    const html = await openPage(browser);
    expect(html).toContain('Operator key');
    expect(html).not.toMatch(/Directory|Cell 0|<script/);
    const { people } = await createWorld();
    await browser.signInAs(people.owner);
    expect(await openPage(browser)).toBe(html);
    expect(browser.cookies.has(COOKIE)).toBe(false);
  });

  it('rejects a wrong key, however similar, and sets no cookie', async () => {
    const browser = new TestBrowser();
    const { SESSION_SECRET } = env;
    for (const key of ['', 'wrong-1', OPERATOR_KEY.slice(1), `${OPERATOR_KEY} `, SESSION_SECRET]) {
      const answer = await browser.post('/operator', { key }, {}, OPERATOR_VARIABLES);
      expect([key, answer.status]).toEqual([key, 403]);
      const html = await answer.text();
      expect(html).toContain('Wrong key');
      if (key) expect(html).not.toContain(key.trim());
    }
    expect(browser.cookies.size).toBe(0);
  });

  it('allows ten attempts per IP address in 15 minutes, including attempts with the correct key', async () => {
    const browser = new TestBrowser();
    const address = { 'CF-Connecting-IP': createIpAddress() };
    for (let n = 0; n < 10; n += 1)
      await browser.post('/operator', { key: 'wrong' }, address, OPERATOR_VARIABLES);
    const answer = await browser.post('/operator', { key: OPERATOR_KEY }, address, OPERATOR_VARIABLES);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(browser.cookies.has(COOKIE)).toBe(false);
    await signIn(browser);
  });

  it('sets a cookie that lasts an hour and is hidden from scripts and other sites', async () => {
    const answer = await new TestBrowser().post('/operator', { key: OPERATOR_KEY }, {}, OPERATOR_VARIABLES);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-ew_operator=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    expect(answer.headers.get('Set-Cookie')).not.toContain(OPERATOR_KEY);
  });

  it('requires the key again after an hour, after a secret changes, and for a forged cookie', async () => {
    const browser = await signIn();
    const signedIn = await openPage(browser);
    expect(signedIn).toContain('Directory');
    const cookie = browser.cookies.get(COOKIE) ?? '';
    const isKeyRequested = async (variables: Partial<Env> = {}) =>
      (await openPage(browser, variables)).includes('Operator key');
    expect(await isKeyRequested()).toBe(false);
    expect(await isKeyRequested({ OPERATOR_KEY: `${OPERATOR_KEY}-2` })).toBe(true);
    expect(await isKeyRequested({ SESSION_SECRET: 'another-secret-0123456789-0123456789' })).toBe(true);

    const now = Date.now();
    const later = vi.spyOn(Date, 'now').mockReturnValue(now + HOUR_MS + 1_000);
    expect(await isKeyRequested()).toBe(true);
    later.mockRestore();

    const text = cookie.slice(0, -22);
    const expiry = Number.parseInt(text, 10);
    for (const forged of [
      '',
      'x',
      cookie.replace(String(expiry), String(expiry + DAY_MS)),
      `${text}${'A'.repeat(22)}`,
      appendSeal(env.SESSION_SECRET, 'operator', text),
      appendSeal(OPERATOR_KEY, 'operator', text),
    ]) {
      browser.cookies.set(COOKIE, forged);
      expect([forged, await isKeyRequested()]).toEqual([forged, true]);
    }
  });

  it('ends the session in this browser when the operator signs out', async () => {
    const browser = await signIn();
    const csrf = readCsrfToken(await openPage(browser));
    expect((await browser.post('/operator/sign-out', { csrf }, {}, OPERATOR_VARIABLES)).status).toBe(303);
    expect(browser.cookies.has(COOKIE)).toBe(false);
  });

  it.each([
    ['without a token', {}, {}],
    ['with the token of another session', { csrf: 'other' }, {}],
    ['from another site', { csrf: 'own' }, { Origin: 'https://evil.example' }],
    ['from another site, without an origin', { csrf: 'own' }, { 'Sec-Fetch-Site': 'cross-site' }],
  ])('rejects a form %s, and changes nothing', async (_, { csrf }: { csrf?: string }, headers) => {
    const id = await insertMail();
    const browser = await signIn();
    const own = readCsrfToken(await openPage(browser));
    const other = readCsrfToken(await openPage(await signIn()));
    expect(other).not.toBe(own);
    const form = csrf === undefined ? {} : { csrf: csrf === 'own' ? own : other };
    const answer = await browser.post('/operator/emails', form, headers, OPERATOR_VARIABLES);
    expect(answer.status).toBe(403);
    expect(await readNextAttempts([id])).toEqual([null]);
    const signedOut = await new TestBrowser().post('/operator/emails', { csrf: own }, {}, OPERATOR_VARIABLES);
    expect(signedOut.status).toBe(403);
    expect(await readNextAttempts([id])).toEqual([null]);
  });

  it('rejects a large form', async () => {
    const answer = await new TestBrowser().post(
      '/operator',
      { key: 'x'.repeat(20_000) },
      {},
      OPERATOR_VARIABLES,
    );
    expect(answer.status).toBe(400);
  });

  it('has the same security headers as every page, and no script', async () => {
    const answer = await (await signIn()).get('/operator', OPERATOR_VARIABLES);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(await answer.text()).not.toMatch(/<script|style=|onclick/);
  });

  it('shows the state and size of each database, and queries each database once', async () => {
    await env.DIRECTORY.prepare('INSERT OR IGNORE INTO closed_cells (cell) VALUES (1)').run();
    const browser = await signIn();
    const batches: string[] = [];
    const countQueries = (name: string, database: D1Database) =>
      ({
        prepare: (sql: string) => database.prepare(sql),
        batch: (all: D1PreparedStatement[]) => {
          batches.push(name);
          return database.batch(all);
        },
      }) as unknown as D1Database;
    const answer = await browser.get('/operator', {
      ...OPERATOR_VARIABLES,
      DIRECTORY: countQueries('directory', env.DIRECTORY),
      CELL_0: countQueries('cell 0', env.CELL_0),
      CELL_1: countQueries('cell 1', env.CELL_1),
    } as Partial<Env>);
    await env.DIRECTORY.prepare('DELETE FROM closed_cells').run();
    expect(batches.sort()).toEqual(['cell 0', 'cell 1', 'directory']);
    expect(readCost(answer.headers).trips).toBe(1);
    const text = toText(await answer.text());
    expect(text).toMatch(/Directory Running – \d+ KB – \d+ ms/);
    expect(text).toMatch(/Cell 0 Running \d+ [\d.]+ [KM]B 0% \d+ ms/);
    expect(text).toMatch(/Cell 1 Closed to new workspaces \d+ [\d.]+ [KM]B 0% \d+ ms/);
  });

  it('shows all other data while databases and the error log are down', async () => {
    const browser = await signIn();
    await env.DIRECTORY.prepare('INSERT INTO cell_usage VALUES (1, 2800000000, 1, 1)').run();
    const text = toText(await openPage(browser, { CELL_1: unavailableDatabase } as Partial<Env>));
    await env.DIRECTORY.prepare('DELETE FROM cell_usage').run();
    expect(text).toMatch(/Cell 0 Running/);
    expect(text).toMatch(/Cell 1 Not responding \d+ – 40% –/);
    const rejectQuery = () => Promise.reject(new Error('overloaded'));
    const ERROR_LOG = { getByName: () => ({ list: rejectQuery, record: rejectQuery }) } as never;
    const less = toText(await openPage(browser, { DIRECTORY: unavailableDatabase, ERROR_LOG }));
    expect(less).toMatch(/Directory Not responding/);
    expect(less).toMatch(/Cell 0 Running – /);
    expect(less).toContain("The directory isn't responding.");
    expect(less).toContain("The error log isn't responding.");
  });

  it('shows how full each cell is, by its current size', async () => {
    const browser = await signIn();
    const createSizedDatabase = (bytes: number) =>
      ({
        prepare: (sql: string) => env.CELL_0.prepare(sql),
        batch: async (all: D1PreparedStatement[]) =>
          (await env.CELL_0.batch(all)).map((result) => ({
            ...result,
            meta: { ...result.meta, size_after: bytes },
          })),
      }) as unknown as D1Database;
    const text = toText(
      await openPage(browser, {
        CELL_0: createSizedDatabase(5.5e9),
        CELL_1: createSizedDatabase(8e9),
      } as Partial<Env>),
    );
    expect(text).toMatch(/Cell 0 Running \d+ 5\.1 GB 78%/);
    expect(text).toMatch(/Cell 1 Running \d+ 7\.5 GB 114%/);
  });

  it('counts abandoned and overdue emails, and lists the newest without personal data', async () => {
    const day = Date.now() - 2 * DAY_MS;
    await insertMail({ created_at: day });
    const newest = await insertMail({ unsubscribe: 'https://edgework.test/unsubscribe?token=private' });
    await insertMail({ attempts: 1, next_attempt_at: Date.now() - HOUR_MS });
    await insertMail({ attempts: 1, next_attempt_at: Date.now() + HOUR_MS });
    await insertMail({ sent_at: Date.now() });
    const html = await openPage(await signIn());
    const text = toText(html);
    expect(text).toMatch(/Abandoned 2 \d+ \w+, \d\d:\d\d/);
    expect(text).toMatch(/Overdue by more than 5 minutes 1 \d+/);
    expect(text).toContain(`${newest} Notification`);
    expect(text).toContain('Transactional');
    expect(text).toContain('E_RECIPIENT_SUPPRESSED: &lt;email&gt; is suppressed');
    expect(html).not.toMatch(/private/i);
  });

  it('resends one or all abandoned emails, and no others', async () => {
    const ids = [await insertMail(), await insertMail(), await insertMail()];
    const sent = await insertMail({ sent_at: 1 });
    const waiting = await insertMail({ next_attempt_at: 4e12 });
    const browser = await signIn();
    const csrf = readCsrfToken(await openPage(browser));
    const resendEmail = async (form: Record<string, string>) => {
      const answer = await browser.post('/operator/emails', { csrf, ...form }, {}, OPERATOR_VARIABLES);
      expect(answer.status).toBe(303);
      return toText(
        await (await browser.get(answer.headers.get('Location') ?? '', OPERATOR_VARIABLES)).text(),
      );
    };
    expect(await resendEmail({ id: String(ids[1]) })).toContain('1 email will be sent within a minute.');
    expect(await readNextAttempts(ids)).toEqual([null, 0, null]);
    expect(await resendEmail({ id: String(sent) })).toContain('0 emails will be sent');
    expect(await resendEmail({})).toContain('2 emails will be sent within a minute.');
    expect(await readNextAttempts([...ids, sent, waiting])).toEqual([0, 0, 0, null, 4e12]);
    expect(
      (await browser.post('/operator/emails', { csrf, id: '1 OR 1' }, {}, OPERATOR_VARIABLES)).status,
    ).toBe(403);
  });

  it('lists failing and stopped webhooks of all cells by host, without their paths', async () => {
    const { no, cell, id, people } = await createWorld();
    const insertWebhook = (url: string, values: Record<string, string | number>) => {
      const all = {
        ws: no,
        member: people.owner.member,
        url,
        secret: 'private',
        cursor: 0,
        created_at: 0,
        ...values,
      };
      const names = Object.keys(all);
      return getCell(cell)
        .prepare(`INSERT INTO webhooks (${names}) VALUES (${names.map(() => '?')})`)
        .bind(...Object.values(all))
        .run();
    };
    await insertWebhook('https://failing.example/hook?token=private', { failures: 3, failing_since: 1e12 });
    await insertWebhook('https://user:private@stopped.example/private', {
      status: 'stopped',
      stop_reason: 'receiver_gone',
    });
    await insertWebhook('https://fine.example/hook', {});
    const html = await openPage(await signIn());
    await getCell(cell).prepare('DELETE FROM webhooks WHERE ws = ?').bind(no).run();
    const text = toText(html);
    expect(text).toMatch(
      new RegExp(`${id} \\d+ failing\\.example ${cell} active, 3 failed attempts 9 Sept? 2001`),
    );
    expect(text).toMatch(/stopped\.example \d stopped: receiver_gone/);
    expect(text).not.toContain('fine.example');
    expect(html).not.toMatch(/private/);
  });

  it('shows failing jobs and up to 200 recent errors, all escaped', async () => {
    const now = Date.now();
    const errors = Array.from({ length: 210 }, (_, at): RecordedError => {
      const error = {
        message: `<b>message</b> ${at}`,
        count: 2,
        firstAt: now - DAY_MS,
        lastAt: now + at,
        requestId: null,
      };
      return { event: 'request.failed', place: `GET /v1/tasks/${at}`, ...error };
    });
    const failed = {
      message: 'Error: no object',
      count: 7,
      firstAt: now - DAY_MS,
      lastAt: now + 300,
      requestId: 'request-1',
    };
    await env.ERROR_LOG.getByName('errors').record([
      ...errors,
      { event: 'cron.failed', place: 'uploads.expire 0', ...failed },
    ]);
    const html = await openPage(await signIn());
    expect(html).not.toContain('<b>message');
    expect(html.match(/&lt;b&gt;message/g)).toHaveLength(199);
    const text = toText(html);
    expect(text).toMatch(
      /Failing jobs Job Message .*uploads\.expire 0 cron\.failed Error: no object 7 .* request-1 Recent errors/,
    );
    expect(text).not.toContain('GET /v1/tasks/10 ');
  });

  it('reads a bounded number of rows, however much data there is', async () => {
    await env.DIRECTORY.prepare(
      `INSERT INTO outbox (recipient, subject, text, html, created_at, attempts, next_attempt_at, sent_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
       SELECT 'a@example.com', 's', 't', 'h', i, 10, iif(i % 3 = 1, 1, NULL), iif(i % 3 = 2, 1, NULL) FROM n`,
    ).run();
    const browser = await signIn();
    const answer = await browser.get('/operator', OPERATOR_VARIABLES);
    expect(readCost(answer.headers).rowsRead).toBeLessThan(2_500);
    const text = toText(await answer.text());
    expect(text).toContain('Abandoned 1000 or more');
    expect(text).toContain('Overdue by more than 5 minutes 1000 or more');
    expect(text).toContain('Resend the oldest 1000');
    const csrf = readCsrfToken(await openPage(browser));
    await browser.post('/operator/emails', { csrf }, {}, OPERATOR_VARIABLES);
    const left = await env.DIRECTORY.prepare(
      'SELECT count(*) AS n FROM outbox WHERE next_attempt_at IS NULL AND sent_at IS NULL',
    ).first('n');
    expect(left).toBe(1_000);
  });

  it('logs successful and rejected sign-ins without the key', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text: string) => lines.push(text));
    const browser = new TestBrowser();
    await browser.post('/operator', { key: 'a wrong key' }, {}, OPERATOR_VARIABLES);
    await signIn(browser);
    expect(lines.filter((line) => line.includes('operator.')).map((line) => JSON.parse(line).event)).toEqual([
      'operator.refused',
      'operator.signed_in',
    ]);
    expect(lines.join()).not.toMatch(/a wrong key|only-for-tests-operator/);
    expect(lines.map((line) => JSON.parse(line).route)).toContain('POST /operator');
  });

  it('can be opened while every database is down', async () => {
    const databases = {
      DIRECTORY: unavailableDatabase,
      CELL_0: unavailableDatabase,
      CELL_1: unavailableDatabase,
    } as Partial<Env>;
    const browser = new TestBrowser();
    const answer = await browser.post(
      '/operator',
      { key: OPERATOR_KEY },
      { Origin: ORIGIN },
      { ...OPERATOR_VARIABLES, ...databases },
    );
    expect(answer.status).toBe(303);
    expect(toText(await openPage(browser, databases))).toContain('Directory Not responding');
  });
});
