// The authorization server: discovery, registration, consent, exchange, revocation, and what each refuses.
import { createHash } from 'node:crypto';
import { Browser } from '../browser.ts';
import type { Actor, Options, Recorder, Reply } from '../recorder.ts';

const REDIRECT = 'http://localhost:33418/callback';
const VERIFIER = 'a-verifier-of-the-recorder-long-enough-for-rfc-7636';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const EVERYTHING =
  'tasks:read tasks:write projects:read time:read time:write dashboard:read notifications:read notifications:write profile:read';

export interface Tokens {
  /** May do everything. */
  readonly full: Actor;
  /** Reads tasks alone. */
  readonly narrow: Actor;
}

export async function recordOAuth(recorder: Recorder, nobody: Actor): Promise<Tokens> {
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
  ]) {
    await nobody.call('GET', path);
  }
  const clientId = await recordRegistration(nobody);
  const browser = new Browser(recorder, 'browser of the owner');
  await recordRefusedRequests(browser, nobody, clientId);
  await recordSignIn(browser, addressOf(clientId, EVERYTHING));
  const code = await consent(browser, addressOf(clientId, EVERYTHING), 'approve');
  await consent(browser, addressOf(clientId, 'tasks:read'), 'refuse');
  await recordRefusedExchanges(nobody, clientId, code);
  const full = await exchange(nobody, exchangeOf(clientId, code));
  const narrowCode = await consent(browser, addressOf(clientId, 'tasks:read'), 'approve');
  const narrow = await exchange(nobody, exchangeOf(clientId, narrowCode));
  await recordRevocation(browser, nobody, clientId);
  return {
    full: recorder.as('agent', full.read('access_token')),
    narrow: recorder.as('agent that reads tasks', narrow.read('access_token')),
  };
}

async function recordRegistration(nobody: Actor): Promise<string> {
  const client = { client_name: 'Recorder', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  const register = (body: unknown) => nobody.call('POST', '/api/oauth/register', body);
  await register({});
  await register({ ...client, redirect_uris: ['http://example.com/callback'] });
  await register({ ...client, redirect_uris: ['javascript:x'] });
  await register({ ...client, client_name: '' });
  await nobody.call('GET', '/api/oauth/register');
  return (await register({ ...client, scope: 'tasks:read', application_type: 'native' })).read('client_id');
}

function addressOf(clientId: string, scope: string, changes: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    scope,
    state: 'a state',
    ...changes,
  });
  return `/api/oauth/authorize?${query}`;
}

async function recordRefusedRequests(browser: Browser, nobody: Actor, clientId: string) {
  for (const changes of [
    { client_id: 'unknown' },
    { redirect_uri: 'https://example.com/callback' },
    { response_type: 'token' },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { resource: 'https://example.com/mcp' },
    { scope: 'everything' },
  ]) {
    await browser.open(addressOf(clientId, EVERYTHING, changes));
  }
  await nobody.call('GET', addressOf('unknown', EVERYTHING));
  await browser.post('/api/oauth/authorize', 'decision=approve&csrf=wrong');
}

async function recordSignIn(browser: Browser, address: string) {
  const away = await browser.open(address);
  const page = await browser.open(String(away.headers.location));
  await browser.submit(page, { email: 'owner@demo.test', password: 'wrong password' });
  await browser.submit(page, { email: 'owner@demo.test', password: 'demo-password-1' });
  await browser.open('/connected-apps');
}

async function consent(browser: Browser, address: string, decision: 'approve' | 'refuse'): Promise<string> {
  const page = await browser.open(address);
  const answer = await browser.submit(page, { decision });
  await browser.submit(page, { decision });
  return new URL(String(answer.headers.location)).searchParams.get('code') ?? '';
}

function exchangeOf(clientId: string, code: string) {
  const form = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT };
  return { ...form, code, code_verifier: VERIFIER };
}

function post(form: Record<string, string>, headers = {}): Options {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return { raw: new URLSearchParams(form).toString(), headers: { ...type, ...headers } };
}

function exchange(nobody: Actor, form: Record<string, string>): Promise<Reply> {
  return nobody.call('POST', '/api/oauth/token', undefined, post(form));
}

async function recordRefusedExchanges(nobody: Actor, clientId: string, code: string) {
  const form = exchangeOf(clientId, code);
  await exchange(nobody, { ...form, grant_type: 'password' });
  await exchange(nobody, { ...form, client_id: 'unknown' });
  await exchange(nobody, { ...form, code: 'unknown' });
  await exchange(nobody, { ...form, redirect_uri: 'http://localhost:1/other' });
  await exchange(nobody, { ...form, code_verifier: `${VERIFIER}-another` });
  await exchange(nobody, { ...form, resource: 'https://example.com' });
  await exchange(nobody, { grant_type: 'authorization_code' });
  await nobody.call('POST', '/api/oauth/token', { ...form });
  await nobody.call('POST', '/api/oauth/token', undefined, post(form, { Authorization: 'Basic eDp5' }));
}

/** A code that comes twice ends its token; a client ends its own tokens alone. */
async function recordRevocation(browser: Browser, nobody: Actor, clientId: string) {
  const code = await consent(browser, addressOf(clientId, 'profile:read'), 'approve');
  const token = (await exchange(nobody, exchangeOf(clientId, code))).read('access_token');
  const revoke = (form: Record<string, string>) =>
    nobody.call('POST', '/api/oauth/revoke', undefined, post(form));
  const read = () =>
    nobody.call('GET', '/v1/me', undefined, { headers: { Authorization: `Bearer ${token}` } });
  await read();
  await revoke({ token });
  await revoke({ token, client_id: 'unknown' });
  await revoke({ token: 'unknown', client_id: clientId });
  await revoke({ token, client_id: clientId });
  await read();
  await exchange(nobody, exchangeOf(clientId, code));
}
