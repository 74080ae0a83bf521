import { agentScopes, scopes } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';

const METADATA_CACHE_SECONDS = 300;

/** The only URL that clients may send as the `resource` parameter (RFC 8707, RFC 9728). */
export function getResourceUrl(origin: string): string {
  return `${origin}/mcp`;
}

/** Sends protected resource metadata (RFC 9728 §2). */
export function sendResourceMetadata(c: HttpContext): Response {
  const { origin } = c.get('scope');
  return sendMetadata(c, {
    resource: getResourceUrl(origin),
    authorization_servers: [origin],
    scopes_supported: agentScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Edgework',
    resource_documentation: `${origin}/docs`,
  });
}

/** Sends authorization server metadata (RFC 8414 §2, RFC 9207), including support for client ID metadata documents. */
export function sendServerMetadata(c: HttpContext): Response {
  const { origin } = c.get('scope');
  return sendMetadata(c, {
    issuer: origin,
    authorization_endpoint: `${origin}/api/oauth/authorize`,
    token_endpoint: `${origin}/api/oauth/token`,
    registration_endpoint: `${origin}/api/oauth/register`,
    revocation_endpoint: `${origin}/api/oauth/revoke`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${origin}/docs`,
  });
}

function sendMetadata(c: HttpContext, metadata: object): Response {
  c.header('Cache-Control', `public, max-age=${METADATA_CACHE_SECONDS}`);
  return c.json(metadata);
}
