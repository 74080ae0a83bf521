import { expect, it } from 'vitest';
import { agentScopes, scopes } from '../../../src/kernel/access/access.ts';
import { ORIGIN, send } from '../../support/api.ts';

const getMetadata = (path: string, headers: Record<string, string> = {}) =>
  send(new Request(`${ORIGIN}${path}`, { headers }));

it('the metadata describes the authorization server exactly (RFC 8414 section 2)', async () => {
  const answer = await getMetadata('/.well-known/oauth-authorization-server');
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  expect(await answer.json()).toEqual({
    issuer: ORIGIN,
    authorization_endpoint: `${ORIGIN}/api/oauth/authorize`,
    token_endpoint: `${ORIGIN}/api/oauth/token`,
    registration_endpoint: `${ORIGIN}/api/oauth/register`,
    revocation_endpoint: `${ORIGIN}/api/oauth/revoke`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${ORIGIN}/docs`,
  });
});

it.each(['', '/mcp'])(
  'the metadata at …/oauth-protected-resource%s describes the MCP endpoint (RFC 9728 section 2)',
  async (path) => {
    const answer = await getMetadata(`/.well-known/oauth-protected-resource${path}`);
    expect(await answer.json()).toEqual({
      resource: `${ORIGIN}/mcp`,
      authorization_servers: [ORIGIN],
      scopes_supported: [...agentScopes],
      bearer_methods_supported: ['header'],
      resource_name: 'Edgework',
      resource_documentation: `${ORIGIN}/docs`,
    });
  },
);

it.each([
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['POST', '/api/oauth/register'],
  ['POST', '/api/oauth/token'],
  ['POST', '/api/oauth/revoke'],
])('browser clients from any origin can call %s %s', async (method, path) => {
  const preflight = await send(
    new Request(`${ORIGIN}${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://inspector.example',
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'content-type, mcp-protocol-version',
      },
    }),
  );
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain(method);
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toMatch(/mcp-protocol-version/i);
  expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBeNull();
});

it("pages from another origin can't read the consent page", async () => {
  const answer = await getMetadata('/api/oauth/authorize', { Origin: 'https://elsewhere.example' });
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
});

it.each([
  ['GET', '/api/oauth/token', 'POST'],
  ['DELETE', '/api/oauth/register', 'POST'],
  ['PUT', '/api/oauth/authorize', 'GET, POST'],
])('%s %s returns 404 with the allowed methods', async (method, path, allowed) => {
  const answer = await send(new Request(`${ORIGIN}${path}`, { method }));
  expect(answer.status).toBe(404);
  expect(answer.headers.get('Allow')).toBe(allowed);
  expect(await answer.json()).toMatchObject({
    error: 'invalid_request',
    error_description: expect.any(String),
  });
});
