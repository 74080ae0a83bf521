import { cors } from 'hono/cors';

/** What browser-based clients may call. No cookie opens any of it, and the consent page is not included. */
export const oauthCrossOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  // MCP clients send the version of their protocol with every discovery.
  allowHeaders: ['Authorization', 'Content-Type', 'Accept', 'MCP-Protocol-Version'],
  exposeHeaders: ['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
  maxAge: 86_400,
});
