// This file is long because it tests signing in, signing out and signing up, which share most of their code.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOME_PATH, toSafeReturnPath } from '../../../src/accounts/browser-sessions/return-path.ts';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import {
  createEmailAddress,
  createIpAddress,
  logIn,
  PASSWORD,
  postForm,
  readMailedToken,
  registerAccount,
  setPassword,
} from '../../support/people.ts';
import { createWorkspace, type Person } from '../../support/world.ts';

let person: Person;

beforeAll(async () => {
  person = (await createWorkspace()).people.member;
  await setPassword(person.userId);
});

async function openForm(browser: TestBrowser, path = '/sign-in') {
  return readFormFields(await (await browser.get(path)).text());
}

async function signIn(
  browser: TestBrowser,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const form = { ...(await openForm(browser)), email: person.email, password: PASSWORD, ...fields };
  return browser.post('/sign-in', form, headers);
}

describe('signing in', () => {
  it('sets a cookie that is hidden from scripts and other hosts, and redirects', async () => {
    const browser = new TestBrowser();
    const answer = await signIn(browser);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, HOME_PATH]);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-ew_session=[\w-]{27}; /);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=604800']) {
      expect(cookie).toContain(attribute);
    }
    expect(cookie).not.toContain('Domain');
    expect((await browser.get('/connected-apps')).status).toBe(200);
    expect((await browser.get('/sign-in?next=/docs')).headers.get('Location')).toBe('/docs');
  });

  it('sets a cookie without the __Host- prefix on http://localhost, where browsers reject the prefix', async () => {
    const answer = await new TestBrowser().get('/sign-in', { PUBLIC_URL: 'http://localhost:8787' });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^ew_session=/);
    expect(cookie).not.toContain('Secure');
  });

  it('replaces the session, which makes a planted session useless', async () => {
    const browser = new TestBrowser();
    await openForm(browser);
    const planted = browser.session ?? '';
    await signIn(browser);
    expect(browser.session).not.toBe(planted);
    const attacker = new TestBrowser();
    attacker.cookies.set('__Host-ew_session', planted);
    expect((await attacker.get('/connected-apps')).status).toBe(303);
  });

  it("stores only a hash of the session, and the API doesn't accept the session as a credential", async () => {
    const browser = new TestBrowser();
    await signIn(browser);
    const stored = await env.DIRECTORY.prepare('SELECT * FROM browser_sessions').all();
    expect(JSON.stringify(stored.results)).not.toContain(browser.session);
    expect((await browser.get('/v1/me')).status).toBe(401);
    expect((await api(browser.session).get('/me')).status).toBe(401);
  });

  it('returns the same response for a wrong password and an unknown address, and never repeats the password', async () => {
    const pages = await Promise.all(
      [{ password: 'wrong password' }, { email: createEmailAddress() }].map(async (fields) => {
        const answer = await signIn(new TestBrowser(), fields);
        expect(answer.status).toBe(400);
        const html = await answer.text();
        expect(html).not.toMatch(/wrong password|correct horse/);
        return /role="alert">([^<]+)/.exec(html)?.[1];
      }),
    );
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain('Wrong email or password');
  });

  it('escapes the email address when the form is displayed again', async () => {
    const html = await (await signIn(new TestBrowser(), { email: '"><script>alert(1)</script>' })).text();
    expect(html).not.toContain('<script');
  });

  it('shares the limit of ten attempts per IP address with POST /v1/auth/login', async () => {
    const ip = { 'CF-Connecting-IP': createIpAddress() };
    for (let count = 1; count <= 5; count += 1) {
      const rejected = await signIn(
        new TestBrowser(),
        { email: createEmailAddress(), password: 'wrong' },
        ip,
      );
      expect(rejected.status).toBe(400);
      const viaApi = await api().post('/auth/login', { email: createEmailAddress(), password: 'wrong' }, ip);
      expect(viaApi.status).toBe(401);
    }
    const answer = await signIn(new TestBrowser(), {}, ip);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(answer.headers.get('Content-Type')).toContain('text/html');
    expect(await answer.text()).toMatch(/Too many requests\. Try again in 1[45] minutes\./);
  });

  it.each([
    ['a wrong CSRF token', { csrf: 'x'.repeat(43) }, {}],
    ['no CSRF token', { csrf: '' }, {}],
    ['another origin', {}, { Origin: 'https://evil.example' }],
  ])('rejects a form with %s', async (_what, fields, headers) => {
    const browser = new TestBrowser();
    expect((await signIn(browser, fields, headers)).status).toBe(403);
    expect((await browser.get('/connected-apps')).status).toBe(303);
  });

  it("rejects another browser's form", async () => {
    const form = await openForm(new TestBrowser());
    const answer = await new TestBrowser().post('/sign-in', {
      ...form,
      email: person.email,
      password: PASSWORD,
    });
    expect(answer.status).toBe(403);
  });
});

describe('the next parameter', () => {
  const signedIn = new TestBrowser();
  beforeAll(async () => {
    await signIn(signedIn);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
    '@evil.example',
    ' //evil.example',
    '/.//evil.example',
  ])('never redirects to another site if it is %j', async (next) => {
    expect(toSafeReturnPath(next, ORIGIN)).toBe(HOME_PATH);
    const browser = new TestBrowser();
    const fields = await openForm(browser, `/sign-in?next=${encodeURIComponent(next)}`);
    expect(fields.next).toBe(HOME_PATH);
    const answer = await signIn(browser, { next });
    expect(answer.headers.get('Location')).toBe(HOME_PATH);
  });

  it.each([
    '/.//evil.example',
    '/./evil/..//evil.example',
    '/..//evil.example',
    '/../..//evil.example',
    '/x/..//evil.example',
    '/x/../..//evil.example/path?query',
    '/%2e//evil.example',
    '/%2E%2e//evil.example',
    '/.%2e//evil.example',
    '/.///evil.example',
    '/.//evil.example:443@edgework.test',
    '///evil.example',
    '////evil.example',
    '/\\/evil.example',
    '/\\\\evil.example',
    '/.\\/evil.example',
    '/./\\evil.example',
    '\t//evil.example',
    '/\r/evil.example',
    '/.\t//evil.example',
    '/\u0085/evil.example',
    'https:evil.example',
    'https:/evil.example',
    'HTTPS://evil.example',
    'http://edgework.test.evil.example',
    'https://edgework.test@evil.example',
    'https://edgework.test',
    'data:text/html,x',
    'vbscript:x',
    '?next=//evil.example',
    '#//evil.example',
    './/evil.example',
    '..//evil.example',
    '%2F%2Fevil.example',
    '／／evil.example',
  ])('never redirects to another site if it is %j and the person is already signed in', async (next) => {
    expect(toSafeReturnPath(next, ORIGIN)).toBe(HOME_PATH);
    const answer = await signedIn.get(`/sign-in?next=${encodeURIComponent(next)}`);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, HOME_PATH]);
  });

  it.each([
    [
      '/api/oauth/authorize?client_id=x&state=%2F%2Fevil',
      '/api/oauth/authorize?client_id=x&state=%2F%2Fevil',
    ],
    ['/connected-apps?workspace=ws_1', '/connected-apps?workspace=ws_1'],
    ['/', '/'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
    ['/?next=//evil.example', '/?next=//evil.example'],
    ['/%2f/evil.example', '/%2f/evil.example'],
    ['/%5Cevil.example', '/%5Cevil.example'],
    ['/@evil.example', '/@evil.example'],
    ['/path#part', '/path'],
    ['/\u0000/evil.example', HOME_PATH],
  ])('with the value %j redirects to %j', (next, path) => {
    expect(toSafeReturnPath(next, ORIGIN)).toBe(path);
  });

  it('never redirects to another site, whatever the input', () => {
    const piece = fc.constantFrom(
      ...[
        '/',
        '//',
        '\\',
        '.',
        '..',
        '%2e',
        '%2f',
        '%5c',
        '@',
        ':',
        '?',
        '#',
        ' ',
        '\t',
        '\n',
        'evil.example',
        'https:',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const next = toSafeReturnPath(`/${pieces.join('')}`, ORIGIN);
        expect(new URL(next, ORIGIN).href).toBe(ORIGIN + next);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('signing out', () => {
  it('ends the session on the server', async () => {
    const browser = new TestBrowser();
    await signIn(browser);
    const stolen = browser.session ?? '';
    const form = readFormFields(await (await browser.get('/connected-apps')).text(), '/sign-out');
    const answer = await browser.post('/sign-out', form);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/sign-in']);
    const thief = new TestBrowser();
    thief.cookies.set('__Host-ew_session', stolen);
    expect((await thief.get('/connected-apps')).status).toBe(303);
  });

  it("requires a form from its own page, so a link can't sign anyone out", async () => {
    const browser = new TestBrowser();
    await signIn(browser);
    expect((await browser.post('/sign-out', {})).status).toBe(403);
    expect(await (await browser.get('/sign-out')).text()).toContain('<h1>Sign out?</h1>');
    expect((await browser.get('/connected-apps')).status).toBe(200);
  });
});

describe('signing up', () => {
  it('sends an email with a link that verifies the account, so the person can sign in', async () => {
    const browser = new TestBrowser();
    const email = createEmailAddress();
    const form = { ...(await openForm(browser, '/sign-up')), name: 'Ada Test', email, password: PASSWORD };
    const answer = await browser.post('/sign-up', form);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(email);
    expect(await (await signIn(browser, { email })).text()).toContain('verified yet. Open the link');
    await postForm('/verify-email', { token: await readMailedToken(email) });
    expect((await signIn(browser, { email })).status).toBe(303);
    expect(await (await browser.get('/connected-apps')).text()).toContain('Ada Test&#39;s workspace');
  });

  it('verifying the address in the same browser names the workspace, signs in, and continues where it began', async () => {
    const browser = new TestBrowser();
    const email = createEmailAddress();
    const path = '/connected-apps?from=sign-up';
    const form = {
      ...(await openForm(browser, `/sign-up?next=${encodeURIComponent(path)}`)),
      name: 'Ada Test',
      email,
      password: PASSWORD,
    };
    await browser.post('/sign-up', form);
    const token = await readMailedToken(email);
    const html = await (await browser.get(`/verify-email?token=${token}`)).text();
    expect(html).toContain('value="Ada Test&#39;s workspace"');
    const fields = readFormFields(html);
    const answer = await browser.post('/verify-email', { ...fields, workspaceName: ' Ada & Co ' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, path]);
    expect(await (await browser.get(path)).text()).toContain('Ada &amp; Co');
    const again = await browser.post('/verify-email', fields);
    expect([again.status, await again.text()]).toEqual([
      200,
      expect.stringContaining('Email address verified'),
    ]);
  });

  it("verifying the address in another browser doesn't sign in, because someone else may have signed up", async () => {
    const [browser, other] = [new TestBrowser(), new TestBrowser()];
    const [email, otherEmail] = [createEmailAddress(), createEmailAddress()];
    for (const [each, address] of [
      [browser, email],
      [other, otherEmail],
    ] as const) {
      const form = await openForm(each, '/sign-up');
      await each.post('/sign-up', { ...form, name: 'Ada Test', email: address, password: PASSWORD });
    }
    const answer = await other.post('/verify-email', { token: await readMailedToken(email) });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('Email address verified'),
    ]);
    for (const each of [browser, other]) expect((await each.get('/connected-apps')).status).toBe(303);
  });

  it.each([
    ['Europe/Vienna', 'Europe/Vienna'],
    ['Mars/Olympus', 'UTC'],
    [undefined, 'UTC'],
  ])('a workspace gets the time zone of its owner as Cloudflare sees it (%s)', async (timezone, stored) => {
    const email = createEmailAddress();
    const token = await registerAccount(email);
    const body = new URLSearchParams({ token });
    await send(
      new Request(`${ORIGIN}/verify-email`, { method: 'POST', body, cf: { timezone } } as RequestInit),
    );
    const { body: session } = await logIn(email);
    const [workspace] = (await api(session.token).get('/workspaces')).body.data;
    const cells = await Promise.all(
      [0, 1].map((cell) =>
        getCell(cell)
          .prepare('SELECT timezone FROM workspaces WHERE id = ?')
          .bind(workspace.id)
          .first('timezone'),
      ),
    );
    expect(cells.filter((each) => each !== null)).toEqual([stored]);
  });

  it.each([
    ['a short password', { password: 'short' }, 'password'],
    ['an invalid address', { email: 'not-an-address' }, 'email'],
    ['an address that is already registered', {}, 'already an account'],
  ])('shows the form again for %s, with typed values but no password', async (_what, changes, word) => {
    const browser = new TestBrowser();
    const form = {
      ...(await openForm(browser, '/sign-up')),
      name: 'Ada "Q"',
      email: person.email,
      password: PASSWORD,
    };
    const answer = await browser.post('/sign-up', { ...form, ...changes });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain(word);
    expect(html).toContain('value="Ada &quot;Q&quot;"');
    expect(html).not.toContain(PASSWORD);
  });
});

it.each(['/', '/sign-in', '/sign-up', '/verify-email?token=x'])(
  "the page %s runs no scripts, and can't be framed",
  async (path) => {
    const answer = await new TestBrowser().get(path);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const html = await answer.text();
    expect(html).not.toMatch(/<script|style="| on\w+="/);
  },
);
