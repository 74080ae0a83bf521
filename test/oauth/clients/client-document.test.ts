import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createWorkspace } from '../../support/world.ts';
import { buildAuthorizePath, exchangeCode, obtainCode, REDIRECT_URI, TestBrowser } from '../flow.ts';

// Covers draft-ietf-oauth-client-id-metadata-document.
let browser: TestBrowser;

beforeAll(async () => {
  const { people } = await createWorkspace();
  browser = new TestBrowser();
  await browser.signIn(people.member);
});
afterEach(() => vi.restoreAllMocks());

const createClientId = () => `https://client.example/${crypto.randomUUID()}.json`;

function serveDocument(answer: () => Response | Promise<Response>) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
}

const buildDocumentResponse = (clientId: string, changes: Record<string, unknown> = {}) =>
  Response.json({
    client_id: clientId,
    client_name: 'Document app',
    redirect_uris: [REDIRECT_URI],
    ...changes,
  });

it('an OAuth client described by a document at its URL gets a token, and the document is fetched once', async () => {
  const id = createClientId();
  const fetched = serveDocument(() => buildDocumentResponse(id));
  const page = await (await browser.get(buildAuthorizePath(id))).text();
  expect(page).toContain('Document app');
  expect(page).toContain(id);
  const answer = await exchangeCode(id, await obtainCode(browser, id));
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
    const fetched = serveDocument(() => buildDocumentResponse(id));
    const answer = await browser.get(buildAuthorizePath(id));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Location')).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('an invalid client document', () => {
  it.each([
    ['a document of another client', (id: string) => buildDocumentResponse(`${id}x`)],
    ['a missing document', () => new Response('gone', { status: 404 })],
    ['a document that redirects', () => Response.redirect('https://127.0.0.1/', 302)],
    ["a document that isn't JSON", () => new Response('<html>')],
    [
      'a document of more than 10 KB',
      (id: string) => buildDocumentResponse(id, { filler: 'x'.repeat(10_240) }),
    ],
    ['a document without redirect URIs', (id: string) => buildDocumentResponse(id, { redirect_uris: [] })],
    [
      'a document with a remote http redirect URI',
      (id: string) => buildDocumentResponse(id, { redirect_uris: ['http://app.example/'] }),
    ],
    ['a document with a secret', (id: string) => buildDocumentResponse(id, { client_secret: 'x' })],
    [
      'a document of a confidential client',
      (id: string) => buildDocumentResponse(id, { token_endpoint_auth_method: 'private_key_jwt' }),
    ],
    [
      'a document with a deceptive name',
      (id: string) => buildDocumentResponse(id, { client_name: 'a\u202eb' }),
    ],
    ['a document that times out', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
  ])('is rejected, and not fetched again right away: %s', async (_what, answer) => {
    const id = createClientId();
    const fetched = serveDocument(() => answer(id));
    for (const visit of [1, 2]) {
      const page = await browser.get(buildAuthorizePath(id));
      expect([visit, page.status]).toEqual([visit, 400]);
      expect(page.headers.get('Location')).toBeNull();
    }
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

describe("a redirect URI that isn't in the client document", () => {
  it('is rejected (RFC 6749 section 4.1.2.1)', async () => {
    const id = createClientId();
    serveDocument(() => buildDocumentResponse(id));
    const answer = await browser.get(buildAuthorizePath(id, { redirect_uri: 'https://evil.example/' }));
    expect(answer.status).toBe(400);
  });
});
