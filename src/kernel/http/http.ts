import type { Handler, Context as HonoContext } from 'hono';
import type * as z from 'zod';
import type { Caller } from '../access/access.ts';
import { AppError } from '../errors/errors.ts';
import { type Authenticator, execute, type RateLimiter } from '../execute/execute.ts';
import { buildDeprecationHeaders, hasDeprecation } from '../operation/deprecation.ts';
import { buildEntityTag, matchesEntityTag, matchesVersion } from '../operation/entity-tag.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { appendSeal } from '../secrets/seal.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import type { Vocabulary } from '../text/wording.ts';
import { buildListKey } from './list-key.ts';
import { RestInput, splitRouteInput } from './rest-input.ts';
import type { Route } from './route.ts';
import { trimToFields } from './trim-fields.ts';

export interface HttpEnv {
  Variables: { scope: RequestScope; route: string; rateLimiter: RateLimiter; caller: Caller };
  Bindings: Env;
}

export type HttpContext = HonoContext<HttpEnv>;

type AuthenticatorFactory = (c: HttpContext) => Authenticator;

export interface RequestServices {
  authenticate: AuthenticatorFactory;
  createRateLimiter: (scope: RequestScope) => RateLimiter;
  createIdempotencyKey: (scope: RequestScope, caller: Caller, key: string, request: string) => IdempotencyKey;
}

export function createRestHandler(
  route: Route,
  { authenticate, createRateLimiter, createIdempotencyKey }: RequestServices,
  words: Vocabulary,
): Handler<HttpEnv> {
  const inputs = splitRouteInput(route);
  const isGet = route.method === 'GET';
  const isDeprecated = hasDeprecation(route.operation);

  return async (c) => {
    try {
      return await respond(c);
    } catch (error) {
      if (error instanceof AppError) setErrorField(c, error.getField(words), inputs.inQuery);
      throw error;
    }
  };

  async function respond(c: HttpContext): Promise<Response> {
    const scope = c.get('scope');
    const input = new RestInput(c, inputs);
    // `*` only requires that the resource exists, which the operation checks anyway.
    const ifMatch = c.req.header('If-Match') === '*' ? undefined : c.req.header('If-Match');
    const { isMinimal } = route.operation;
    const prefersMinimal = isMinimal !== undefined && requestsMinimalResponse(c.req.header('Prefer'));
    const rateLimiter = createRateLimiter(scope);
    c.set('rateLimiter', rateLimiter);
    const { output, status, nextCursor, version, isReplayed, inParts, caller } = await execute(
      route.operation,
      {
        request: scope,
        authenticator: authenticate(c),
        rateLimiter,
        words,
        prefersMinimal,
        input: () => input.read(),
        ...(route.body === 'bytes' && { incoming: c.req.raw }),
        cell: (caller: Caller) => scope.cell(caller.cell),
        accepted: (caller) => c.set('caller', caller),
        idempotencyKey: (caller) => {
          const key = c.req.header('Idempotency-Key');
          // Uploading the same bytes again is harmless, so uploads need no key.
          if (key === undefined || isGet || route.body === 'bytes') return null;
          const request = `${route.method} ${c.req.path} ${JSON.stringify(input.sent)}`;
          return createIdempotencyKey(scope, caller, key, request);
        },
        ...(ifMatch === undefined || isGet ? {} : { ifMatch: (version) => matchesVersion(ifMatch, version) }),
        usualStatus: route.status,
      },
    );
    if (nextCursor !== null) c.header('Link', buildNextLink(c, nextCursor));
    if (isDeprecated) setDeprecationHeaders(c, route, Object.keys(input.sent));
    if (isReplayed) c.header('Idempotent-Replayed', 'true');
    // Checks the response, because a retry returns the first response even if its `Prefer` header differs.
    if (isMinimal?.(output, prefersMinimal)) c.header('Preference-Applied', 'return=minimal');
    const { fields } = input;
    if (inParts && !fields) {
      c.header('Content-Type', 'application/json');
      return c.body(toTextStream(inParts(output)), status as 200 | 201);
    }
    const text = JSON.stringify(fields ? trimToFields(output, fields, input.expanded) : output);
    // A version covers the whole resource, so its tag must not depend on the requested fields.
    const tagged = fields && version !== null ? JSON.stringify(output) : text;
    const tag = isGet || version !== null ? buildEntityTag(tagged, caller, version) : null;
    if (tag !== null) c.header('ETag', tag);
    c.header('Content-Type', 'application/json');
    return isGet && tag !== null ? buildCacheableResponse(c, text, tag) : c.body(text, status as 200 | 201);
  }
}

function requestsMinimalResponse(header = ''): boolean {
  return header.split(',').some((each) => /^\s*return\s*=\s*"?minimal"?\s*(?:;.*)?$/i.test(each));
}

const ERROR_FIELD_CHARACTERS_MAX = 200;

/** Encodes and shortens the name, because the name of an unknown field can have any characters and any length. */
function setErrorField(c: HttpContext, field: string | null, { shape: inQuery }: z.ZodObject) {
  if (field === null) return;
  // A list in a query is a single parameter, so its items have no names.
  const [parameter = ''] = field.split('[');
  const named = (Object.hasOwn(inQuery, parameter) ? parameter : field).slice(0, ERROR_FIELD_CHARACTERS_MAX);
  c.header('Error-Field', named.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent));
}

/** Limits memory use by building each piece only after the previous one has been read. */
function toTextStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

function buildCacheableResponse(c: HttpContext, text: string, tag: string): Response {
  c.header('Cache-Control', 'private, no-cache');
  const known = c.req.header('If-None-Match');
  return known !== undefined && matchesEntityTag(known, tag) ? c.body(null, 304) : c.body(text, 200);
}

function setDeprecationHeaders(c: HttpContext, { operation }: Route, sent: readonly string[]) {
  const headers = buildDeprecationHeaders(operation, sent);
  if (headers === null) return;
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const changelog = `${c.get('scope').origin}/docs/changelog`;
  c.header('Link', `<${changelog}>; rel="deprecation"; type="text/html"`, { append: true });
}

function buildNextLink(c: HttpContext, nextCursor: string): string {
  const { config, origin } = c.get('scope');
  const url = new URL(c.req.url);
  url.searchParams.delete('offset');
  url.searchParams.set('cursor', appendSeal(config.sessionSecret, buildListKey(url), nextCursor));
  return `<${origin}${url.pathname}${url.search}>; rel="next"`;
}
