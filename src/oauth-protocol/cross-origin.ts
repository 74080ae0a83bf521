import { cors } from 'hono/cors';

/** What browser-based clients may call: no cookie opens any of it. The consent page is not among it. */
export const oauthCrossOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  // MCP clients send the version of their protocol with every discovery.
  allowHeaders: ['Authorization', 'Content-Type', 'Accept', 'MCP-Protocol-Version'],
  exposeHeaders: ['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
  maxAge: 86_400,
});
