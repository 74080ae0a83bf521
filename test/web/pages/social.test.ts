import { afterEach, describe, expect, it, vi } from 'vitest';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { ORIGIN } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createEmailAddress, logIn, registerAccount } from '../../support/people.ts';
import { createWorkspace } from '../../support/world.ts';

const variables = {
  GITHUB_CLIENT_ID: 'github-id',
  GITHUB_CLIENT_SECRET: 'github-secret',
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
} as Partial<Env>;

afterEach(() => vi.restoreAllMocks());

interface Profile {
  email?: string;
  isVerified?: boolean;
  name?: string;
}

function mockProviders({ email = createEmailAddress(), isVerified = true, name = 'Ada Social' }: Profile) {
  const claims = {
    iss: 'https://accounts.google.com',
    aud: 'google-id',
    email,
    email_verified: isVerified,
    name,
  };
  const encodeSegment = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, '');
  const answers: Record<string, unknown> = {
    'https://github.com/login/oauth/access_token': { access_token: 'gho_x', token_type: 'bearer', scope: '' },
    'https://api.github.com/user': { login: 'ada', name, avatar_url: 'https://avatars.example/ada.png' },
    'https://api.github.com/user/emails': [
      { email: 'other@example.com', primary: false, verified: true },
      { email, primary: true, verified: isVerified },
    ],
    'https://oauth2.googleapis.com/token': {
      access_token: 'ya29',
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: `${encodeSegment({ alg: 'RS256' })}.${encodeSegment(claims)}.${encodeSegment('signature')}`,
    },
  };
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!(url in answers)) throw new Error(`nobody plays ${url}`);
    return Response.json(answers[url]);
  });
}

async function signInWithProvider(
  browser: TestBrowser,
  provider: string,
  { next = '/connected-apps', change = (query: URLSearchParams) => query } = {},
) {
  const away = await browser.get(`/sign-in/${provider}?next=${encodeURIComponent(next)}`, variables);
  expect(away.status).toBe(303);
  const url = new URL(away.headers.get('Location') ?? '');
  const query = new URLSearchParams({ code: 'code', state: url.searchParams.get('state') ?? '' });
  const back = await browser.get(`/sign-in/${provider}/callback?${change(query)}`, variables);
  return { url, back };
}

const readAccount = (email: string) =>
  env.DIRECTORY.prepare('SELECT * FROM users WHERE email_key = ?').bind(email.toLowerCase()).first();

it('the sign-in page offers a provider only if its id and secret are set', async () => {
  const offered = await (await new TestBrowser().get('/sign-in', variables)).text();
  expect(offered).toContain('Continue with GitHub');
  expect(offered).toContain('Continue with Google');
  const { GITHUB_CLIENT_SECRET: _secret, ...half } = variables;
  expect(await (await new TestBrowser().get('/sign-in', half)).text()).not.toContain('GitHub');
  for (const provider of ['github', 'google', 'nobody']) {
    expect((await new TestBrowser().get(`/sign-in/${provider}`)).status).toBe(404);
  }
});

describe.each(['github', 'google'])('signing in with %s', (provider) => {
  it('creates a verified account with a workspace the first time, and signs in to it the next time', async () => {
    const email = createEmailAddress();
    mockProviders({ email, name: 'Ada\u0007 Social' });
    const browser = new TestBrowser();
    const { url, back } = await signInWithProvider(browser, provider, {
      next: '/connected-apps?workspace=x',
    });
    expect(url.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/sign-in/${provider}/callback`);
    expect([back.status, back.headers.get('Location')]).toEqual([303, '/connected-apps?workspace=x']);
    expect(await (await browser.get('/connected-apps')).text()).toContain('s workspace');
    const account = await readAccount(email);
    expect(account).toMatchObject({ name: 'Ada  Social', password_hash: null });
    expect(account?.verified_at).not.toBeNull();
    await signInWithProvider(new TestBrowser(), provider);
    const places = await env.DIRECTORY.prepare('SELECT count(*) AS n FROM memberships WHERE user_id = ?')
      .bind(account?.id)
      .first();
    expect(places).toEqual({ n: 1 });
  });

  it('signs in to the verified account with the same address, ignoring case', async () => {
    const { people } = await createWorkspace();
    mockProviders({ email: people.lead.email.toUpperCase() });
    const browser = new TestBrowser();
    expect((await signInWithProvider(browser, provider)).back.status).toBe(303);
    expect(await (await browser.get('/connected-apps')).text()).toContain(people.lead.email);
  });

  it("doesn't take over an account whose address was never verified", async () => {
    const email = createEmailAddress();
    await registerAccount(email);
    mockProviders({ email });
    const browser = new TestBrowser();
    const { back } = await signInWithProvider(browser, provider);
    expect(back.status).toBe(400);
    expect(await back.text()).toContain('already an account with this email address');
    expect((await browser.get('/connected-apps')).status).toBe(303);
    expect((await readAccount(email))?.verified_at).toBeNull();
    expect((await logIn(email)).status).toBe(401);
  });

  it('works for an unverified account once the owner of the address resets the password', async () => {
    const email = createEmailAddress();
    await registerAccount(email);
    mockProviders({ email });
    const browser = new TestBrowser();
    const rejected = await (await signInWithProvider(browser, provider)).back.text();
    expect(rejected).toContain('choose a new password');
    expect(rejected).toContain('href="/forgot-password"');
    const asked = readFormFields(await (await browser.get('/forgot-password')).text(), '/forgot-password');
    await browser.post('/forgot-password', { ...asked, email });
    const mail = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ? ORDER BY id DESC')
      .bind(email)
      .first<string>('text');
    const link = /\/reset-password\?token=\S+/.exec(mail ?? '')?.[0] ?? '';
    const form = readFormFields(await (await browser.get(link)).text(), '/reset-password');
    expect((await browser.post('/reset-password', { ...form, password: 'one of my own' })).status).toBe(200);
    expect((await signInWithProvider(browser, provider)).back.status).toBe(303);
    expect((await logIn(email)).status).toBe(401);
  });

  it('links accounts only by verified addresses', async () => {
    const { people } = await createWorkspace();
    mockProviders({ email: people.owner.email, isVerified: false });
    const browser = new TestBrowser();
    const { back } = await signInWithProvider(browser, provider);
    expect(await back.text()).toContain('no verified email address');
    expect((await browser.get('/connected-apps')).status).toBe(303);
  });

  it("rejects a response that this browser didn't request (RFC 6749 section 10.12)", async () => {
    const fetched = mockProviders({});
    const buildForgedQuery = (query: URLSearchParams) =>
      new URLSearchParams({ code: query.get('code') ?? '', state: 'forged' });
    expect(
      (await signInWithProvider(new TestBrowser(), provider, { change: buildForgedQuery })).back.status,
    ).toBe(400);
    const stranger = await new TestBrowser().get(`/sign-in/${provider}/callback?code=x&state=`, variables);
    expect(stranger.status).toBe(400);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('accepts a response only once', async () => {
    mockProviders({});
    const browser = new TestBrowser();
    let asked = '';
    await signInWithProvider(browser, provider, {
      change: (query) => {
        asked = String(query);
        return query;
      },
    });
    expect((await browser.get(`/sign-in/${provider}/callback?${asked}`, variables)).status).toBe(400);
  });

  it('returns 400 if the person declines or the provider fails', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('down', { status: 503 }));
    const buildDeclinedQuery = () => new URLSearchParams({ error: 'access_denied' });
    expect(
      (await signInWithProvider(new TestBrowser(), provider, { change: buildDeclinedQuery })).back.status,
    ).toBe(400);
    const { back } = await signInWithProvider(new TestBrowser(), provider);
    expect(back.status).toBe(400);
    expect(await back.text()).toContain('The provider didn');
  });

  it('never redirects to another site', async () => {
    mockProviders({});
    for (const next of ['https://evil.example/', '/.//evil.example', '/x/..//evil.example']) {
      const { back } = await signInWithProvider(new TestBrowser(), provider, { next });
      expect(back.headers.get('Location')).toBe('/app');
    }
  });
});
