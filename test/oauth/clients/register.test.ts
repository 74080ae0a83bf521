import { describe, expect, it } from 'vitest';
import { env } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { registerMetadata } from '../flow.ts';

const REDIRECT = 'https://app.example/callback';

async function expectRejection(metadata: Record<string, unknown> | string) {
  const before = await countClients();
  const answer = await registerMetadata(metadata);
  expect(answer.status).toBe(400);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await countClients()).toBe(before);
  return (await answer.json()) as { error: string; error_description: string };
}

async function countClients() {
  return (await env.DIRECTORY.prepare('SELECT count(*) AS n FROM oauth_clients').first<{ n: number }>())?.n;
}

it('client registration creates a public client, and ignores unknown metadata (RFC 7591 section 3.2.1)', async () => {
  const answer = await registerMetadata({
    client_name: 'Claude',
    redirect_uris: [REDIRECT, 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    application_type: 'native',
    software_id: 'x',
    contacts: ['a@example.com'],
    scope: 'tasks:read openid',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('Pragma')).toBe('no-cache');
  expect(await answer.json()).toEqual({
    client_id: expect.stringMatching(/^client_[\w-]{27}$/),
    client_id_issued_at: expect.any(Number),
    client_name: 'Claude',
    redirect_uris: [REDIRECT, 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'tasks:read',
  });
});

it('an OAuth client without a name is named after the host or scheme of its redirect URI', async () => {
  const answer = await registerMetadata({ redirect_uris: [REDIRECT], client_name: ' ' });
  expect(await answer.json()).toMatchObject({ client_name: 'app.example' });
  const native = await registerMetadata({ redirect_uris: ['com.example.app:/oauth'] });
  expect(await native.json()).toMatchObject({ client_name: 'com.example.app' });
});

describe('registration with a valid redirect URI (RFC 8252 section 7)', () => {
  it.each([
    'https://app.example/callback?keep=1',
    'https://app.example:8443/',
    'http://127.0.0.1:5173/cb',
    'http://[::1]/cb',
    'http://localhost:33418/',
    'com.example.app:/oauth',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'claude://callback',
  ])('succeeds for %s', async (uri) => {
    const answer = await registerMetadata({ redirect_uris: [uri] });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ redirect_uris: [uri] });
  });
});

describe('registration with invalid redirect URIs (RFC 6749 section 3.1.2, RFC 9700 section 2.1, RFC 8252 section 8.3)', () => {
  it.each([
    ['a javascript URI', 'javascript:alert(1)'],
    ['a javascript URI in mixed case', 'JavaScript:alert(1)//https://app.example'],
    ['a data URI', 'data:text/html,<script>alert(1)</script>'],
    ['a file URI', 'file:///etc/passwd'],
    ['a vbscript URI', 'vbscript:x'],
    ['a blob URI', 'blob:https://app.example/x'],
    ['an unknown scheme without a dot', 'myapp://callback'],
    ['http on a remote host', 'http://app.example/callback'],
    ['http on a host that only starts like a loopback address', 'http://127.0.0.1.evil.example/cb'],
    ['http on a host that only starts like localhost', 'http://localhost.evil.example/cb'],
    ['loopback as user information', 'http://localhost@evil.example/cb'],
    ['a fragment', 'https://app.example/cb#x'],
    ['an empty fragment', 'https://app.example/cb#'],
    ['a user name', 'https://user@app.example/cb'],
    ['a user name and a password', 'https://user:secret@app.example/cb'],
    ['a line break', 'https://app.example/cb\r\nSet-Cookie: a=b'],
    ['a tab', 'https://app.example/\tcb'],
    ['a space', 'https://app.example/c b'],
    ['a backslash', 'https://app.example\\@evil.example/'],
    ['characters outside ASCII', 'https://exämple.com/cb'],
    ['a relative URI', '/callback'],
    ['a URI without a host', 'https:///callback'],
    ['a URI without slashes', 'https:app.example'],
    ['an empty text', ''],
    ['a URI of 2,049 characters', `https://app.example/${'x'.repeat(2029)}`],
  ])('is rejected for %s', async (_what, uri) => {
    const { error } = await expectRejection({ redirect_uris: [REDIRECT, uri] });
    expect(error).toBe('invalid_redirect_uri');
  });

  it.each([
    ['no redirect URIs', {}],
    ['an empty list', { redirect_uris: [] }],
    ['a string', { redirect_uris: REDIRECT }],
    ['a number in the list', { redirect_uris: [7] }],
    ['eleven redirect URIs', { redirect_uris: Array(11).fill(REDIRECT) }],
  ])('is rejected if the list of redirect URIs is invalid (%s)', async (_what, metadata) => {
    expect((await expectRejection(metadata)).error).toBe('invalid_redirect_uri');
  });
});

describe('registration with invalid metadata (RFC 7591 section 3.2.2)', () => {
  it.each([
    ['broken JSON', '{"redirect_uris":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a name of 101 characters', { client_name: 'x'.repeat(101) }],
    ['a name with a line break', { client_name: 'Good\nEvil' }],
    ['a name with a direction mark', { client_name: 'Good \u202elive' }],
    ['a name with invisible characters', { client_name: 'Cla\u200bude' }],
    ['a name that is a number', { client_name: 7 }],
    ['only unsupported grants', { grant_types: ['client_credentials'] }],
    ['only the implicit grant', { response_types: ['token'] }],
  ])('is rejected for %s', async (_what, metadata) => {
    const body = typeof metadata === 'string' ? metadata : { redirect_uris: [REDIRECT], ...metadata };
    const { error, error_description } = await expectRejection(body);
    expect(error).toBe('invalid_client_metadata');
    // RFC 6749, section 5.2, allows only these characters in an error description.
    expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it('is rejected for a list of more than 1,000 items', async () => {
    const { error, error_description } = await expectRejection({
      redirect_uris: Array(1_001).fill(REDIRECT),
    });
    expect([error, error_description]).toEqual([
      'invalid_client_metadata',
      'redirect_uris must have at most 1000 items; got 1001.',
    ]);
  });

  it('is rejected for a body of more than 64 KB', async () => {
    expect((await expectRejection({ redirect_uris: [REDIRECT], extra: 'x'.repeat(70_000) })).error).toBe(
      'invalid_request',
    );
  });
});

it('the 21st client registration in 15 minutes from the same IP address returns 429 with Retry-After', async () => {
  const ip = { 'CF-Connecting-IP': createIpAddress() };
  for (let count = 1; count <= 20; count += 1) {
    expect((await registerMetadata({ redirect_uris: [REDIRECT] }, ip)).status).toBe(201);
  }
  const answer = await registerMetadata({ redirect_uris: [REDIRECT] }, ip);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(800);
  expect(await answer.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: expect.stringContaining('Try again in 15 minutes'),
  });
});
