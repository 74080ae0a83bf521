import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createWorkspace } from '../../support/world.ts';
import { authorizePath, exchange, obtainCode, REDIRECT, TestBrowser } from '../flow.ts';

// Covers draft-ietf-oauth-client-id-metadata-document.
let browser: TestBrowser;

beforeAll(async () => {
  const { people } = await createWorkspace();
  browser = new TestBrowser();
  await browser.signIn(people.member);
});
afterEach(() => vi.restoreAllMocks());

const freshId = () => `https://client.example/${crypto.randomUUID()}.json`;

/** Returns this response to every outgoing request. */
function serve(answer: () => Response | Promise<Response>) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
}

const documentOf = (clientId: string, changes: Record<string, unknown> = {}) =>
  Response.json({ client_id: clientId, client_name: 'Document app', redirect_uris: [REDIRECT], ...changes });

it('an OAuth client described by a document at its URL gets a token, and the document is fetched once', async () => {
  const id = freshId();
  const fetched = serve(() => documentOf(id));
  const page = await (await browser.get(authorizePath(id))).text();
  expect(page).toContain('Document app');
  expect(page).toContain(id);
  const answer = await exchange(id, await obtainCode(browser, id));
  expect(answer.status).toBe(200);
  expect(fetched).toHaveBeenCalledTimes(1);
  const [, init] = fetched.mock.calls[0] ?? [];
  expect(init).toMatchObject({ redirect: 'manual', signal: expect.any(AbortSignal) });
});

describe('an unsafe client URL (section 6, server-side request forgery)', () => {
  it.each([
    'http://client.example/app.json',
    'https://127.0.0.1/app.json',
    'https://2130706433/app.json',
    'https://0x7f.1/app.json',
    'https://10.0.0.1/app.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/app.json',
    'https://[fd00::1]/app.json',
    'https://localhost/app.json',
    'https://app.localhost/app.json',
    'https://printer.local/app.json',
    'https://metadata.google.internal/app.json',
    'https://intranet/app.json',
    'https://user:secret@client.example/app.json',
    'https://client.example/app.json#x',
    'https://client.example/',
    'https://client.example/../app.json',
    'https://client.example:443/app.json',
  ])('is rejected without being fetched: %s', async (id) => {
    const fetched = serve(() => documentOf(id));
    const answer = await browser.get(authorizePath(id));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Location')).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('an invalid client document', () => {
  it.each([
    ['a document of another client', (id: string) => documentOf(`${id}x`)],
    ['a missing document', () => new Response('gone', { status: 404 })],
    ['a document that redirects', () => Response.redirect('https://127.0.0.1/', 302)],
    ["a document that isn't JSON", () => new Response('<html>')],
    ['a document of more than 10 KB', (id: string) => documentOf(id, { filler: 'x'.repeat(10_240) })],
    ['a document without redirect URIs', (id: string) => documentOf(id, { redirect_uris: [] })],
    [
      'a document with a remote http redirect URI',
      (id: string) => documentOf(id, { redirect_uris: ['http://app.example/'] }),
    ],
    ['a document with a secret', (id: string) => documentOf(id, { client_secret: 'x' })],
    [
      'a document of a confidential client',
      (id: string) => documentOf(id, { token_endpoint_auth_method: 'private_key_jwt' }),
    ],
    ['a document with a deceptive name', (id: string) => documentOf(id, { client_name: 'a\u202eb' })],
    ['a document that times out', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
  ])('is rejected, and not fetched again right away: %s', async (_what, answer) => {
    const id = freshId();
    const fetched = serve(() => answer(id));
    for (const visit of [1, 2]) {
      const page = await browser.get(authorizePath(id));
      expect([visit, page.status]).toEqual([visit, 400]);
      expect(page.headers.get('Location')).toBeNull();
    }
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it("a redirect URI that isn't in the document is rejected (RFC 6749 section 4.1.2.1)", async () => {
    const id = freshId();
    serve(() => documentOf(id));
    const answer = await browser.get(authorizePath(id, { redirect_uri: 'https://evil.example/' }));
    expect(answer.status).toBe(400);
  });
});
