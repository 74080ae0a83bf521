import { cors } from 'hono/cors';

/** For browser-based clients. None of these endpoints reads a cookie, and the consent page is excluded. */
export const oauthCrossOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  // MCP clients send their protocol version with every discovery request.
  allowHeaders: ['Authorization', 'Content-Type', 'Accept', 'MCP-Protocol-Version'],
  exposeHeaders: ['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
  maxAge: 86_400,
});
