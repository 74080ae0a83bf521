import type { Handler } from 'hono';
import { cors } from 'hono/cors';
import type { HttpEnv, RequestServices } from '../kernel/http/http.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';
import { INVALID_REQUEST, REFUSED, rpcError } from './answers.ts';
import { readJson } from './body.ts';
import { requireAccessToken, requireOwnOrigin, requireScopes, withChallenge } from './challenge.ts';
import { batchProblem, calledTools, messagesOf } from './messages.ts';
import { createMcp } from './server.ts';
import { openSession } from './session.ts';

/** Lets a page read why it was refused; `requireOwnOrigin` decides which pages are served. */
export const mcpCrossOrigin = cors({
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

/** `POST /mcp`, stateless: origin (403), method (405), token (401), body (400, 413), scopes (403), then the protocol. */
export function mcpEndpoint(
  tools: readonly AnyTool[],
  { authenticate, openRateLimiter, openIdempotencyKey }: RequestServices,
): Handler<HttpEnv> {
  const serve = createMcp(tools);

  return async (c) => {
    c.set('route', `${c.req.method} /mcp`);
    requireOwnOrigin(c);
    if (c.req.method !== 'POST') {
      const message = 'Method not allowed: there are no sessions and no streams here. Use POST.';
      return rpcError(405, { code: REFUSED, message }, null, { Allow: 'POST' });
    }
    try {
      requireAccessToken(c);
      const rateLimiter = openRateLimiter(c.get('scope'));
      c.set('rateLimiter', rateLimiter);
      const session = await openSession(c.get('scope'), {
        authenticator: authenticate(c),
        rateLimiter,
        openIdempotencyKey,
      });
      c.set('caller', session.caller);
      const body = await readJson(c.req.raw);
      if ('refused' in body) {
        await session.settle();
        return body.refused;
      }
      const problem = batchProblem(body.json);
      const messages = problem ? [] : messagesOf(body.json);
      const called = calledTools(messages, tools);
      if (called.length > 0) c.set('route', `POST /mcp ${called.map(({ name }) => name).join(' ')}`);
      const response = problem ? rpcError(400, { code: INVALID_REQUEST, message: problem }) : await answer();
      await session.settle();
      return response;

      async function answer(): Promise<Response> {
        try {
          requireScopes(c, session.caller, called);
        } catch (error) {
          await session.settle();
          throw error;
        }
        return serve(acceptingJson(c.req.raw), 'json' in body ? body.json : undefined, session);
      }
    } catch (error) {
      throw withChallenge(c, error);
    }
  };
}

/** Serves every client that accepts JSON. The older protocol also asks for `text/event-stream`, which this never sends. */
function acceptingJson(request: Request): Request {
  const accept = request.headers.get('Accept') ?? '*/*';
  const takesJson = /application\/(json|\*)|\*\/\*/i.test(accept);
  const headers = new Headers(request.headers);
  if (takesJson) headers.set('Accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: 'POST', headers });
}
