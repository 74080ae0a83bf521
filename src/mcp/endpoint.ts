import type { Handler } from 'hono';
import { cors } from 'hono/cors';
import type { HttpEnv, RequestServices } from '../kernel/http/http.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';
import {
  addAuthenticateHeader,
  requireAccessToken,
  requireSameOrigin,
  requireScopes,
} from './authorization.ts';
import { describeBatchProblem, findCalledTools, toMessageList } from './messages.ts';
import { readJson } from './read-json.ts';
import { buildRpcErrorResponse, INVALID_REQUEST, SERVER_ERROR } from './rpc-error.ts';
import { createMcpServer } from './server.ts';
import { openMcpSession } from './session.ts';

/** Pages from any origin can read error responses, but `requireSameOrigin` rejects their calls. */
export const mcpCorsMiddleware = cors({
  origin: '*',
  allowMethods: ['POST'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Accept',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
    'Last-Event-ID',
  ],
  exposeHeaders: ['WWW-Authenticate', 'X-Request-Id', 'Retry-After', 'Server-Timing', 'X-Cost'],
  maxAge: 86_400,
});

/** Checks origin (403), method (405), token (401), body (400, 413) and scopes (403), then runs the protocol. */
export function createMcpEndpoint(
  tools: readonly AnyTool[],
  { authenticate, createRateLimiter, createIdempotencyKey }: RequestServices,
): Handler<HttpEnv> {
  const serve = createMcpServer(tools);

  return async (c) => {
    c.set('route', `${c.req.method} /mcp`);
    requireSameOrigin(c);
    if (c.req.method !== 'POST') {
      const message = 'Method not allowed: this endpoint has no sessions or streams. Use POST.';
      return buildRpcErrorResponse(405, { code: SERVER_ERROR, message }, null, { Allow: 'POST' });
    }
    try {
      requireAccessToken(c);
      const rateLimiter = createRateLimiter(c.get('scope'));
      c.set('rateLimiter', rateLimiter);
      const session = await openMcpSession(c.get('scope'), {
        authenticator: authenticate(c),
        rateLimiter,
        createIdempotencyKey,
      });
      c.set('caller', session.caller);
      const body = await readJson(c.req.raw);
      if ('rejected' in body) {
        await session.requireConfirmedCaller();
        return body.rejected;
      }
      const problem = describeBatchProblem(body.json);
      const messages = problem ? [] : toMessageList(body.json);
      const called = findCalledTools(messages, tools);
      if (called.length > 0) c.set('route', `POST /mcp ${called.map(({ name }) => name).join(' ')}`);
      const response = problem
        ? buildRpcErrorResponse(400, { code: INVALID_REQUEST, message: problem })
        : await respond();
      await session.requireConfirmedCaller();
      return response;

      async function respond(): Promise<Response> {
        try {
          requireScopes(c, session.caller, called);
        } catch (error) {
          await session.requireConfirmedCaller();
          throw error;
        }
        return serve(buildRequestAcceptingJson(c.req.raw), 'json' in body ? body.json : undefined, session);
      }
    } catch (error) {
      throw addAuthenticateHeader(c, error);
    }
  };
}

/** The SDK also requires clients to accept `text/event-stream`, which this server never sends. */
function buildRequestAcceptingJson(request: Request): Request {
  const accept = request.headers.get('Accept') ?? '*/*';
  const takesJson = /application\/(json|\*)|\*\/\*/i.test(accept);
  const headers = new Headers(request.headers);
  if (takesJson) headers.set('Accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: 'POST', headers });
}
