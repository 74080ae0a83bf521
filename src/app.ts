import { Hono } from 'hono';
import { authenticate } from './accounts/credentials/authenticate.ts';
import { PICTURE_PATH, servePicture } from './accounts/own/picture.ts';
import { LocalServerError, parseEnv } from './env.ts';
import { fileApp } from './files/attachments/files.ts';
import { toServiceError } from './kernel/errors/database-unavailable.ts';
import { AppError } from './kernel/errors/errors.ts';
import { corsMiddleware, setResponseHeaders } from './kernel/http/headers.ts';
import { createRestHandler, type HttpContext, type HttpEnv } from './kernel/http/http.ts';
import { logRequest } from './kernel/http/log-request.ts';
import { createUnknownEndpointHandler, unknownEndpointError } from './kernel/http/unknown-endpoint.ts';
import { createIdempotencyKey } from './kernel/idempotency/idempotency.ts';
import { describeError, log } from './kernel/operation/log.ts';
import { createRequestScope } from './kernel/operation/request-scope.ts';
import { createRestRateLimiter } from './kernel/rate-limit/rest-rate-limiter.ts';
import { createWorkspaceBudget } from './kernel/rate-limit/workspace-budget.ts';
import { createMcpEndpoint, mcpCorsMiddleware } from './mcp/endpoint.ts';
import { FEED_PATH } from './meetings/calendar-feed/feed-token.ts';
import { serveFeed } from './meetings/calendar-feed/serve-feed.ts';
import { oauthApp } from './oauth/oauth-app.tsx';
import { restErrorWords, routes, tools } from './registry.ts';
import { sitePages } from './web/pages/site/site-pages.tsx';
import { sendErrorPage } from './web/server/error-page.tsx';
import { isPageRequest } from './web/server/page-request.ts';

const restServices = { authenticate, createRateLimiter: createRestRateLimiter, createIdempotencyKey };

export function createApp() {
  const app = new Hono<HttpEnv>();

  app.use(async (c, next) => {
    const { origin, hostname } = new URL(c.req.url);
    const scope = createRequestScope({
      env: c.env,
      config: parseEnv(c.env, hostname),
      origin,
      clientIp: c.req.header('CF-Connecting-IP'),
      userAgent: c.req.header('User-Agent'),
      timeZone: (c.req.raw as Request<unknown, IncomingRequestCfProperties>).cf?.timezone,
      waitUntil: (work) => c.executionCtx.waitUntil(work),
      createBudget: createWorkspaceBudget,
    });
    c.set('scope', scope);
    await next();
    await setResponseHeaders(c);
    logRequest(c);
  });
  app.use('/v1/*', corsMiddleware);
  app.use('/openapi.json', corsMiddleware);

  app.use('/mcp', mcpCorsMiddleware);
  app.all('/mcp', createMcpEndpoint(tools, restServices));

  app.route('/', sitePages);
  app.route('/', oauthApp);
  app.route('/', fileApp);
  app.get(`${PICTURE_PATH}/:id`, servePicture);
  app.get(`${FEED_PATH}/:feed`, serveFeed);
  for (const route of routes) {
    const path = `/v1${route.path}`;
    app.on(route.method, path, async (c, next) => {
      c.set('route', `${route.method} ${path}`);
      await next();
    });
    app.on(route.method, path, createRestHandler(route, restServices, restErrorWords));
  }

  app.all('/v1/*', createUnknownEndpointHandler(routes, restServices));

  app.notFound((c) => sendError(c, unknownEndpointError(c.req.method, new URL(c.req.url).pathname, null)));
  app.onError((error, c) => {
    if (error instanceof AppError && !(error instanceof LocalServerError)) return sendError(c, error);
    // If the deployment is misconfigured, the request has no scope and no response headers yet.
    const id = c.get('scope')?.id ?? crypto.randomUUID();
    c.header('X-Request-Id', id);
    const isLocal = error instanceof LocalServerError;
    log('error', 'request.failed', {
      id,
      route: c.get('route'),
      cause: isLocal ? error.cause : describeError(error),
    });
    return sendError(c, isLocal ? error : toServiceError(error));
  });
  return app;
}

function sendError(c: HttpContext, error: AppError): Response | Promise<Response> {
  if (isPageRequest(c)) return sendErrorPage(c, error);
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  return c.json(error.toBody(restErrorWords), error.status as 400);
}
