// This file is long because its tests share one client and one signed-in browser.
import { beforeAll, describe, expect, it } from 'vitest';
import { ORIGIN, send } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createWorkspace, type Workspace } from '../../support/world.ts';
import {
  buildAuthorizePath,
  exchangeCode,
  giveConsent,
  MCP_RESOURCE,
  REDIRECT_URI,
  readConsentForm,
  registerClient,
  startFlow,
  TestBrowser,
  unescapeHtml,
} from '../flow.ts';

let workspace: Workspace;
let browser: TestBrowser;
let clientId: string;

beforeAll(async () => {
  ({ workspace, browser, clientId } = await startFlow());
});

function getLocation(answer: Response): URL {
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('Location') ?? '');
}

describe('an authorization request without a verified redirect URI (RFC 6749 section 4.1.2.1)', () => {
  it.each([
    ['an unknown client', () => buildAuthorizePath('client_nobody')],
    ['no client', () => buildAuthorizePath(clientId, { client_id: null })],
    ['no redirect_uri', () => buildAuthorizePath(clientId, { redirect_uri: null })],
    ['another host', () => buildAuthorizePath(clientId, { redirect_uri: 'https://evil.example/callback' })],
    ['a longer path', () => buildAuthorizePath(clientId, { redirect_uri: `${REDIRECT_URI}/more` })],
    ['another case', () => buildAuthorizePath(clientId, { redirect_uri: REDIRECT_URI.toUpperCase() })],
    ['another query', () => buildAuthorizePath(clientId, { redirect_uri: `${REDIRECT_URI}?x=1` })],
    [
      'another port',
      () => buildAuthorizePath(clientId, { redirect_uri: 'https://app.example:444/callback' }),
    ],
    ['a fragment', () => buildAuthorizePath(clientId, { redirect_uri: `${REDIRECT_URI}#x` })],
    [
      'user information',
      () => buildAuthorizePath(clientId, { redirect_uri: 'https://app.example@evil.example/callback' }),
    ],
    ['a javascript URI', () => buildAuthorizePath(clientId, { redirect_uri: 'javascript:alert(1)' })],
    ['two clients', () => `${buildAuthorizePath(clientId)}&client_id=${clientId}`],
    ['two redirect URIs', () => `${buildAuthorizePath(clientId)}&redirect_uri=https%3A%2F%2Fevil.example`],
  ])('gets an error page and no redirect for %s', async (_what, path) => {
    for (const visitor of [browser, new TestBrowser()]) {
      const page = await visitor.get(path());
      expect(page.status).toBe(400);
      expect(page.headers.get('Location')).toBeNull();
      expect(page.headers.get('Content-Type')).toContain('text/html');
      expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    }
    const program = await send(new Request(`${ORIGIN}${path()}`));
    expect(program.status).toBe(400);
    expect(await program.json()).toMatchObject({
      error: expect.stringMatching(/^invalid_(client|request)$/),
    });
  });
});

describe('an invalid authorization request with a verified redirect URI (RFC 6749 section 4.1.2.1)', () => {
  it.each([
    ['no response_type', { response_type: null }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge (RFC 7636 section 4.4.1)', { code_challenge: null }, 'invalid_request'],
    ['plain PKCE (RFC 7636 section 4.4.1)', { code_challenge_method: 'plain' }, 'invalid_request'],
    [
      'plain PKCE by omitting the method (RFC 7636 section 4.3)',
      { code_challenge_method: null },
      'invalid_request',
    ],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['a padded challenge', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
    ['an unknown scope', { scope: 'tasks:read admin' }, 'invalid_scope'],
    ['an empty scope', { scope: ' ' }, 'invalid_scope'],
    [
      "another server's resource (RFC 8707 section 2)",
      { resource: 'https://other.example/mcp' },
      'invalid_target',
    ],
    ['an unknown resource on the same host', { resource: `${MCP_RESOURCE}/` }, 'invalid_target'],
  ])(
    'is redirected to the client with an error, state and iss for %s (RFC 9207 section 2)',
    async (_what, changes, error) => {
      for (const visitor of [browser, new TestBrowser()]) {
        const location = getLocation(await visitor.get(buildAuthorizePath(clientId, changes)));
        expect(`${location.origin}${location.pathname}`).toBe(REDIRECT_URI);
        expect(Object.fromEntries(location.searchParams)).toEqual({
          error,
          error_description: expect.any(String),
          state: 'the state',
          iss: ORIGIN,
        });
      }
    },
  );

  it('names a missing code_challenge_method as missing', async () => {
    const path = buildAuthorizePath(clientId, { code_challenge_method: null });
    const location = getLocation(await browser.get(path));
    expect(location.searchParams.get('error_description')).toMatch(
      /^code_challenge_method is required.* Send S256\.$/,
    );
  });

  it.each([
    'response_type',
    'state',
    'scope',
    'code_challenge',
    'code_challenge_method',
    'resource',
    'unknown',
  ])(
    'is redirected to the client with an error for a repeated %s parameter (RFC 6749 section 3.1)',
    async (name) => {
      const path = `${buildAuthorizePath(clientId, { scope: 'tasks:read', resource: MCP_RESOURCE })}&unknown=1&${name}=again`;
      const location = getLocation(
        await browser.get(name === 'unknown' ? path : path.replace('&unknown=1', '')),
      );
      expect(location.searchParams.get('error')).toBe('invalid_request');
      expect(location.searchParams.get('state')).toBe(name === 'state' ? null : 'the state');
    },
  );

  it('is redirected to the client with an error for a state of more than 4,096 characters', async () => {
    const location = getLocation(
      await browser.get(buildAuthorizePath(clientId, { state: 'x'.repeat(4097) })),
    );
    expect(location.searchParams.get('error')).toBe('invalid_request');
    expect(location.searchParams.has('state')).toBe(false);
  });
});

describe('a loopback redirect URI (RFC 8252 section 7.3)', () => {
  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', true],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:51234/cb', true],
    ['http://[::1]:1/cb', 'http://[::1]:2/cb', true],
    ['http://localhost:3000/cb?a=1', 'http://localhost:4000/cb?a=1', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/other', false],
    ['http://127.0.0.1/cb', 'http://localhost:51234/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:80@evil.example/cb', false],
  ])(
    'is compared without its port (registered: %s, requested: %s, accepted: %s)',
    async (registered, asked, isFine) => {
      const id = await registerClient([registered]);
      const answer = await browser.get(buildAuthorizePath(id, { redirect_uri: asked }));
      expect(answer.status).toBe(isFine ? 200 : 400);
    },
  );

  it('receives the response on the requested port', async () => {
    const id = await registerClient(['http://127.0.0.1/cb?keep=1']);
    const asked = 'http://127.0.0.1:51234/cb?keep=1';
    const location = await giveConsent(browser, buildAuthorizePath(id, { redirect_uri: asked }));
    expect(location.href).toMatch(/^http:\/\/127\.0\.0\.1:51234\/cb\?keep=1&code=/);
    const code = location.searchParams.get('code') ?? '';
    expect((await exchangeCode(id, code, { redirect_uri: asked })).status).toBe(200);
  });
});

describe('the consent page', () => {
  it("redirects to the sign-in page if the person isn't signed in", async () => {
    const path = buildAuthorizePath(clientId, { state: 'a&b=c"<>' });
    const answer = await new TestBrowser().get(path);
    expect(answer.status).toBe(303);
    const location = new URL(answer.headers.get('Location') ?? '', ORIGIN);
    expect(location.pathname).toBe('/sign-in');
    expect(location.searchParams.get('next')).toBe(path);
  });

  it("shows the client, person, workspace and scopes, contains no scripts, and can't be framed or cached", async () => {
    const id = await registerClient([REDIRECT_URI], '<b>Claude</b> & "friends"');
    const answer = await browser.get(buildAuthorizePath(id, { scope: 'tasks:read tasks:write time:read' }));
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('Referrer-Policy')).toBe('same-origin');
    // An app can open the page in a window, and wait for the response in that window.
    expect(answer.headers.get('Cross-Origin-Opener-Policy')).toBeNull();
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    // Chromium would also apply `form-action` to the redirect to the app.
    expect(policy).not.toContain('form-action');
    const html = await answer.text();
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<b>Claude');
    expect(unescapeHtml(html)).toContain('<b>Claude</b> & "friends"');
    for (const text of [
      'app.example',
      workspace.people.member.email,
      'tasks:write',
      'See your time entries',
    ]) {
      expect(html).toContain(text);
    }
    expect(
      [...html.matchAll(/type="checkbox" name="scope" value="([^"]+)"/g)].map(([, name]) => name),
    ).toEqual(['tasks:write']);
  });

  it('redirects with a code, the state and iss when the person agrees (RFC 6749 section 4.1.2, RFC 9207 section 2)', async () => {
    const location = await giveConsent(browser, buildAuthorizePath(clientId));
    expect(`${location.origin}${location.pathname}`).toBe(REDIRECT_URI);
    expect([...location.searchParams.keys()]).toEqual(['code', 'state', 'iss']);
    expect(location.searchParams.get('state')).toBe('the state');
    expect(location.searchParams.get('iss')).toBe(ORIGIN);
    const stored = await env.DIRECTORY.prepare('SELECT * FROM oauth_codes').all();
    expect(JSON.stringify(stored.results)).not.toContain(location.searchParams.get('code'));
  });

  it('redirects with access_denied and no code when the person declines', async () => {
    const before = await countCodes();
    const location = await giveConsent(browser, buildAuthorizePath(clientId), (form) =>
      form.set('decision', 'refuse'),
    );
    expect(location.searchParams.get('error')).toBe('access_denied');
    expect(location.searchParams.get('error_description')).toBe('The person selected Cancel.');
    expect(location.searchParams.get('state')).toBe('the state');
    expect(location.searchParams.get('iss')).toBe(ORIGIN);
    expect(await countCodes()).toBe(before);
  });

  it('warns that an app with access to notifications receives them from all workspaces', async () => {
    const scope = 'notifications:read notifications:write';
    const page = await (await browser.get(buildAuthorizePath(clientId, { scope }))).text();
    expect(page).toContain('See your notifications from all your workspaces');
    expect(page).toContain('Mark notifications from all your workspaces as read, and delete them');
  });

  it('grants all requested read scopes, but only write scopes that were both requested and selected', async () => {
    const scope = 'tasks:read tasks:write time:read time:write';
    const location = await giveConsent(browser, buildAuthorizePath(clientId, { scope }), (form) => {
      form.delete('scope');
      for (const added of ['time:write', 'notifications:write', 'dashboard:read'])
        form.append('scope', added);
    });
    const { body } = await exchangeCode(clientId, location.searchParams.get('code') ?? '');
    expect(body.scope).toBe('tasks:read time:read time:write');
  });

  it('is shown again with the same request if no scope is selected', async () => {
    const page = await browser.get(buildAuthorizePath(clientId, { scope: 'tasks:write' }));
    const form = readConsentForm(await page.text());
    form.delete('scope');
    const again = await browser.post('/api/oauth/authorize', form);
    expect(again.status).toBe(400);
    const answer = await browser.post('/api/oauth/authorize', readConsentForm(await again.text()));
    expect(getLocation(answer).searchParams.has('code')).toBe(true);
  });

  it('ignores authorization parameters in the submitted form (RFC 9700 section 2.1)', async () => {
    const location = await giveConsent(browser, buildAuthorizePath(clientId), (form) => {
      form.set('redirect_uri', 'https://evil.example/');
      form.set('state', 'forged');
      form.set('client_id', 'client_other');
      form.set('code_challenge', 'b'.repeat(43));
    });
    expect(`${location.origin}${location.pathname}`).toBe(REDIRECT_URI);
    expect(location.searchParams.get('state')).toBe('the state');
    expect((await exchangeCode(clientId, location.searchParams.get('code') ?? '')).status).toBe(200);
  });

  it("rejects a workspace that the person doesn't belong to", async () => {
    const other = await createWorkspace();
    const page = await browser.get(buildAuthorizePath(clientId));
    const form = readConsentForm(await page.text());
    form.set('workspace', other.id);
    const answer = await browser.post('/api/oauth/authorize', form);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Location')).toBeNull();
  });
});

describe('a consent decision (RFC 6749 section 10.12)', () => {
  const cases: [string, (form: URLSearchParams) => Promise<Response>, number][] = [
    ['without a CSRF token', (form) => postConsent(form, (changed) => changed.delete('csrf')), 403],
    [
      'with a wrong CSRF token',
      (form) => postConsent(form, (changed) => changed.set('csrf', 'x'.repeat(43))),
      403,
    ],
    [
      'from another site',
      (form) => browser.post('/api/oauth/authorize', form, { Origin: 'https://evil.example' }),
      403,
    ],
    ['from a sandboxed frame', (form) => browser.post('/api/oauth/authorize', form, { Origin: 'null' }), 403],
    ['from a signed-out browser', (form) => new TestBrowser().post('/api/oauth/authorize', form), 403],
    [
      'with an unknown request',
      (form) => postConsent(form, (changed) => changed.set('request', 'x'.repeat(27))),
      400,
    ],
    [
      'as JSON',
      (form) =>
        browser.request('/api/oauth/authorize', {
          method: 'POST',
          body: JSON.stringify(Object.fromEntries(form)),
          headers: { 'Content-Type': 'text/plain' },
        }),
      400,
    ],
  ];

  function postConsent(form: URLSearchParams, change: (form: URLSearchParams) => void) {
    const changed = new URLSearchParams(form);
    change(changed);
    return browser.post('/api/oauth/authorize', changed);
  }

  it.each(cases)('sent %s is rejected, and creates no code', async (_what, work, status) => {
    const before = await countCodes();
    const form = readConsentForm(await (await browser.get(buildAuthorizePath(clientId))).text());
    const answer = await work(form);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Location')).toBeNull();
    expect(await countCodes()).toBe(before);
  });

  it("is rejected for another person's request", async () => {
    const victim = new TestBrowser();
    await victim.signIn(workspace.people.admin);
    const foreign = readConsentForm(await (await browser.get(buildAuthorizePath(clientId))).text());
    const own = readConsentForm(await (await victim.get(buildAuthorizePath(clientId))).text());
    own.set('request', foreign.get('request') ?? '');
    const answer = await victim.post('/api/oauth/authorize', own);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Location')).toBeNull();
  });

  it('creates only one code, even if it is submitted repeatedly', async () => {
    const form = readConsentForm(await (await browser.get(buildAuthorizePath(clientId))).text());
    const before = await countCodes();
    const answers = await Promise.all([1, 2, 3].map(() => browser.post('/api/oauth/authorize', form)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    expect(await countCodes()).toBe((before ?? 0) + 1);
  });

  it('is rejected after its consent request has expired', async () => {
    const form = readConsentForm(await (await browser.get(buildAuthorizePath(clientId))).text());
    await env.DIRECTORY.prepare('UPDATE oauth_requests SET expires_at = ?').bind(Date.now()).run();
    expect((await browser.post('/api/oauth/authorize', form)).status).toBe(400);
  });
});

it('at most ten consent requests are kept per browser', async () => {
  for (let count = 0; count < 12; count += 1) await browser.get(buildAuthorizePath(clientId));
  const found = await env.DIRECTORY.prepare(
    'SELECT max(n) AS most FROM (SELECT count(*) AS n FROM oauth_requests GROUP BY session_hash)',
  ).first();
  expect(found).toEqual({ most: 10 });
});

async function countCodes() {
  return (await env.DIRECTORY.prepare('SELECT count(*) AS n FROM oauth_codes').first<{ n: number }>())?.n;
}
