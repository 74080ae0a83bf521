// This file is long because each step of the OAuth flow needs the result of the previous step.
import { sha256 } from '@oslojs/crypto/sha2';
import { encodeBase64urlNoPadding } from '@oslojs/encoding';
import { expect } from 'vitest';
import { createSecret } from '../../src/kernel/secrets/tokens.ts';
import { signIn } from '../support/accounts.ts';
import { ORIGIN, send } from '../support/api.ts';
import { createIpAddress, PASSWORD, setPassword } from '../support/people.ts';
import { createWorkspace, type Person } from '../support/world.ts';

export const MCP_RESOURCE = `${ORIGIN}/mcp`;
export const REDIRECT_URI = 'https://app.example/callback';
const CODE_VERIFIER = 'a'.repeat(43);
const CODE_CHALLENGE = computeChallenge(CODE_VERIFIER);

function computeChallenge(verifier: string): string {
  return encodeBase64urlNoPadding(sha256(new TextEncoder().encode(verifier)));
}

/** Keeps cookies and submits forms as a browser does, but returns redirects instead of following them. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  /** Cookies that are sent only to URLs below a path. */
  readonly #inPaths = new Map<string, [name: string, value: string]>();

  /** Returns another browser with the same cookies, as if someone had stolen them. */
  copy(): TestBrowser {
    const copied = new TestBrowser();
    for (const [name, value] of this.cookies) copied.cookies.set(name, value);
    for (const [at, cookie] of this.#inPaths) copied.#inPaths.set(at, cookie);
    return copied;
  }

  async get(path: string, variables: Partial<Env> = {}): Promise<Response> {
    return this.request(path, {}, variables);
  }

  async post(
    path: string,
    form: URLSearchParams | Record<string, string>,
    headers: Record<string, string> = {},
    variables: Partial<Env> = {},
  ) {
    const body = new URLSearchParams(form);
    const all = { Origin: ORIGIN, 'CF-Connecting-IP': createIpAddress(), ...headers };
    return this.request(path, { method: 'POST', body, headers: all }, variables);
  }

  async request(path: string, init: RequestInit, variables: Partial<Env> = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Accept', headers.get('Accept') ?? 'text/html,*/*;q=0.8');
    const { pathname } = new URL(path, ORIGIN);
    const here = [...this.#inPaths].filter(([at]) => isPathBelow(pathname, at)).map(([, cookie]) => cookie);
    const jar = [...this.cookies, ...here].map(([name, value]) => `${name}=${value}`).join('; ');
    if (jar) headers.set('Cookie', jar);
    const answer = await send(
      new Request(new URL(path, ORIGIN), { ...init, headers, redirect: 'manual' }),
      variables,
    );
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const at = /; path=([^;]+)/i.exec(cookie)?.[1] ?? '/';
      if (at !== '/') this.#inPaths.set(at, [name, value]);
      else if (/max-age=0/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  get session(): string | undefined {
    return this.cookies.get('__Host-ew_session');
  }

  getCookie(path: string, name: string): string | undefined {
    const [known, value] = this.#inPaths.get(path) ?? [];
    return known === name ? value : undefined;
  }

  /** Signs in without the form, because hashing a password is slow. */
  async signInAs({ userId }: Pick<Person, 'userId'>): Promise<void> {
    const cookie = createSecret();
    await signIn(userId, cookie);
    this.cookies.set('__Host-ew_session', cookie);
  }

  async signIn(person: Pick<Person, 'userId' | 'email'>): Promise<void> {
    await setPassword(person.userId);
    const page = await (await this.get('/sign-in')).text();
    const answer = await this.post('/sign-in', {
      ...readFormFields(page),
      email: person.email,
      password: PASSWORD,
    });
    expect(answer.status).toBe(303);
  }
}

function isPathBelow(pathname: string, at: string): boolean {
  return pathname === at || pathname.startsWith(`${at}/`);
}

/** Returns the hidden fields of the form with this `action`, or of the whole page if it is omitted. */
export function readFormFields(page: string, action?: string): Record<string, string> {
  const form = action ? (page.split(`method="post" action="${action}"`)[1]?.split('</form>')[0] ?? '') : page;
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      unescapeHtml(value ?? ''),
    ]),
  );
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

export async function registerMetadata(
  metadata: Record<string, unknown> | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(
    new Request(`${ORIGIN}/api/oauth/register`, {
      method: 'POST',
      body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
      headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': createIpAddress(), ...headers },
    }),
  );
}

export async function registerClient(
  redirectUris: readonly string[] = [REDIRECT_URI],
  name = 'Test app',
): Promise<string> {
  const answer = await registerMetadata({ client_name: name, redirect_uris: redirectUris });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { client_id: string }).client_id;
}

export async function startFlow() {
  const workspace = await createWorkspace({ cell: 1 });
  const browser = new TestBrowser();
  await browser.signIn(workspace.people.member);
  return { workspace, browser, clientId: await registerClient() };
}

export function buildAuthorizePath(clientId: string, changes: Record<string, string | null> = {}): string {
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: CODE_CHALLENGE,
    code_challenge_method: 'S256',
    state: 'the state',
    ...changes,
  };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) search.set(name, value);
  return `/api/oauth/authorize?${search}`;
}

/** Returns the form data that approves the consent page's preselected scopes. */
export function readConsentForm(page: string): URLSearchParams {
  const form = new URLSearchParams(readFormFields(page, '/api/oauth/authorize'));
  for (const [, value] of page.matchAll(/<input type="checkbox" name="scope" value="([^"]+)" checked/g)) {
    form.append('scope', value ?? '');
  }
  const [, choice] = /<option value="([^"]+)"/.exec(page) ?? [];
  if (choice) form.set('workspace', choice);
  form.set('decision', 'approve');
  return form;
}

/** Opens the consent page and submits its form, which approves the request. `change` can alter the form first. */
export async function giveConsent(
  browser: TestBrowser,
  path: string,
  change: (form: URLSearchParams) => void = () => undefined,
): Promise<URL> {
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  const form = readConsentForm(await page.text());
  change(form);
  const answer = await browser.post('/api/oauth/authorize', form);
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('Location') ?? '');
}

export async function obtainCode(
  browser: TestBrowser,
  clientId: string,
  changes: Record<string, string | null> = {},
): Promise<string> {
  const location = await giveConsent(browser, buildAuthorizePath(clientId, changes));
  return location.searchParams.get('code') ?? '';
}

export interface TokenResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function postOAuth(
  endpoint: 'token' | 'revoke',
  form: URLSearchParams | Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  const answer = await send(
    new Request(`${ORIGIN}/api/oauth/${endpoint}`, {
      method: 'POST',
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'CF-Connecting-IP': createIpAddress(),
        ...headers,
      },
    }),
  );
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : {} };
}

export function buildExchangeForm(
  clientId: string,
  code: string,
  changes: Record<string, string | null> = {},
) {
  const fields: Record<string, string | null> = {
    grant_type: 'authorization_code',
    code,
    code_verifier: CODE_VERIFIER,
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

export function exchangeCode(clientId: string, code: string, changes: Record<string, string | null> = {}) {
  return postOAuth('token', buildExchangeForm(clientId, code, changes));
}

export async function obtainToken(browser: TestBrowser, clientId: string, scope?: string): Promise<string> {
  const code = await obtainCode(browser, clientId, scope ? { scope } : {});
  const { body } = await exchangeCode(clientId, code);
  return String(body.access_token);
}
