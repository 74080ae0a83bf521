import { cors } from 'hono/cors';

/** Lets browser-based clients call the OAuth endpoints that read no cookies. Not used for the consent page. */
export const oauthCorsMiddleware = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  // MCP clients send their protocol version with every discovery request.
  allowHeaders: ['Authorization', 'Content-Type', 'Accept', 'MCP-Protocol-Version'],
  exposeHeaders: ['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
  maxAge: 86_400,
});
