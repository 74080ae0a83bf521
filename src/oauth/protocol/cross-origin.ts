import { cors } from 'hono/cors';

/** Lets clients in browsers call these endpoints, which read no cookies. The consent page isn't among them. */
export const oauthCorsMiddleware = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  // MCP clients send their protocol version with every discovery request.
  allowHeaders: ['Authorization', 'Content-Type', 'Accept', 'MCP-Protocol-Version'],
  exposeHeaders: ['WWW-Authenticate', 'Retry-After', 'X-Request-Id'],
  maxAge: 86_400,
});
