import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { demo, openServer, type TestServer } from './server.ts';

const REDIRECT = 'http://127.0.0.1/callback';
const localOptions = { [oauth.allowInsecureRequests]: true };
let server: TestServer;

before(async () => {
  server = await openServer();
});
after(() => server?.stop());

test('oauth4webapi discovers the server from the MCP endpoint alone, and gets a working token', async () => {
  const resource = new URL(`${server.origin}/mcp`);
  const described = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, localOptions),
  );
  const issuer = new URL(described.authorization_servers?.[0] ?? '');
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...localOptions, algorithm: 'oauth2' }),
  );
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: 'oauth4webapi', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      localOptions,
    ),
  );
  assert.equal(client.token_endpoint_auth_method, 'none');

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint ?? '');
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      scope: 'tasks:read profile:read',
      state,
      resource: resource.href,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  );
  const callback = await consent(url);

  const parameters = oauth.validateAuthResponse(as, client, callback, state);
  const token = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, REDIRECT, verifier, {
      ...localOptions,
      additionalParameters: { resource: resource.href },
    }),
  );
  assert.equal(token.token_type, 'bearer');
  assert.equal(token.expires_in, 2_592_000);
  assert.equal(token.scope, 'tasks:read profile:read');

  const requestMe = () =>
    oauth.protectedResourceRequest(
      token.access_token,
      'GET',
      new URL(`${server.origin}/v1/me`),
      undefined,
      null,
      localOptions,
    );
  const me = await (await requestMe()).json();
  assert.equal(me.email, demo.owner);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, oauth.None(), token.access_token, localOptions),
  );
  await assert.rejects(requestMe, { status: 401 });
});

/** Signs in and approves as a person would in a browser. Returns the URL of the redirect. */
async function consent(url: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  const fetchPage = async (to: string | URL | null, form?: Record<string, string>) => {
    const answer = await fetch(new URL(to ?? '', server.origin), {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; '), Accept: 'text/html' },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const readHiddenField = (html: string, name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

  const signIn = (await fetchPage(url)).headers.get('Location');
  const form = await (await fetchPage(signIn)).text();
  const signedIn = await fetchPage('/sign-in', {
    csrf: readHiddenField(form, 'csrf'),
    once: readHiddenField(form, 'once'),
    next: readHiddenField(form, 'next'),
    email: demo.owner,
    password: demo.password,
  });
  assert.equal(signedIn.status, 303);
  const page = await (await fetchPage(signedIn.headers.get('Location'))).text();
  const answer = await fetchPage('/api/oauth/authorize', {
    csrf: readHiddenField(page, 'csrf'),
    once: readHiddenField(page, 'once'),
    request: readHiddenField(page, 'request'),
    workspace: /<option value="([^"]+)"/.exec(page)?.[1] ?? '',
    decision: 'approve',
  });
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('Location') ?? '');
}
