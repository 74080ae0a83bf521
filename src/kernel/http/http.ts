import type { Handler, Context as HonoContext } from 'hono';
import * as z from 'zod';
import type { Caller } from '../access.ts';
import { entityTag, namesTag } from '../conditional.ts';
import { invalidRequest, notFound } from '../errors.ts';
import { type Authenticator, execute, type RateLimiter } from '../execute/execute.ts';
import { describeUnknownFields, unwrap } from '../explain.ts';
import type { IdempotencyKey } from '../idempotency-key.ts';
import { foreignCursor } from '../pagination.ts';
import type { RequestScope } from '../request-scope.ts';
import { openSeal, seal } from '../seal.ts';
import type { Words } from '../wording.ts';
import { listOf } from './cursor-list.ts';
import { decodeBody, decodeQuery } from './decode.ts';
import { parseFields, trimToFields } from './fields.ts';
import { inputInBody, inputInQuery, pathNames, type Route } from './route.ts';

export interface HttpEnv {
  Variables: { scope: RequestScope; route: string; rateLimiter: RateLimiter; caller: Caller };
  Bindings: Env;
}

export type HttpContext = HonoContext<HttpEnv>;

/** Turns a request into an `Authenticator`; `app.ts` passes that of `src/credentials/`. */
type Authenticate = (c: HttpContext) => Authenticator;

/** What the kernel gets from other folders: who calls, and how many requests they may send. */
export interface RequestServices {
  authenticate: Authenticate;
  openRateLimiter: (scope: RequestScope) => RateLimiter;
  openIdempotencyKey: (scope: RequestScope, caller: Caller, key: string, request: string) => IdempotencyKey;
}

/** A Hono handler that runs the route's operation. */
export function restHandler(
  route: Route,
  { authenticate, openRateLimiter, openIdempotencyKey }: RequestServices,
  words: Words,
): Handler<HttpEnv> {
  const names = pathNames(route.path);
  const [inQuery, inBody] = [inputInQuery(route), inputInBody(route)];
  const takesFields = route.method === 'GET';

  return async (c) => {
    const scope = c.get('scope');
    let fields: ReadonlySet<string> | null = null;
    let expanded: readonly string[] = [];
    let sent: unknown;

    const input = async () => {
      const url = new URL(c.req.url);
      const query = url.searchParams;
      if (takesFields && query.has('fields')) {
        fields = parseFields(query.getAll('fields').join(','), route.operation.output);
        query.delete('fields');
      }
      if (query.has('cursor') && query.has('offset')) {
        throw invalidRequest(
          'cursor and offset cannot be combined: a cursor already says where to go on. Send one.',
        );
      }
      if ('cursor' in inQuery.shape) unsealCursor(scope, url);
      const decoded = await decodeBesidePath(c, query);
      if (Array.isArray(decoded.expand)) expanded = decoded.expand as string[];
      sent = decoded;
      return { ...decoded, ...pathValues(c) };
    };

    const decodeBesidePath = async (c: HttpContext, query: URLSearchParams) => {
      if (route.method === 'GET' || route.method === 'DELETE') {
        return decodeQuery(query, inQuery, takesFields ? ['fields'] : []);
      }
      const decoded = decodeQuery(query, inQuery);
      if (route.body === 'bytes') return decoded;
      const body = await decodeBody(c.req.raw);
      // The whole schema includes the names of the path, which a body must not send; so check the body's names here.
      const unknown = Object.keys(body).filter((name) => !Object.hasOwn(inBody.shape, name));
      if (unknown.length > 0) throw invalidRequest(describeUnknownFields(unknown, Object.keys(inBody.shape)));
      return { ...body, ...decoded };
    };

    const pathValues = (c: HttpContext) =>
      Object.fromEntries(names.map((name) => [name, pathValue(route, name, c.req.param(name) ?? '')]));

    // `*` requires only that the resource exists, which the operation checks anyway.
    const ifMatch = c.req.header('If-Match') === '*' ? undefined : c.req.header('If-Match');
    const rateLimiter = openRateLimiter(scope);
    c.set('rateLimiter', rateLimiter);
    const stored = await execute(route.operation, {
      request: scope,
      authenticator: authenticate(c),
      rateLimiter,
      words,
      input,
      ...(route.body === 'bytes' && { incoming: c.req.raw }),
      cell: (caller: Caller) => scope.cell(caller.cell),
      accepted: (caller) => c.set('caller', caller),
      idempotencyKey: (caller) => {
        const key = c.req.header('Idempotency-Key');
        // Bytes need no key: sending them again replaces them.
        if (key === undefined || route.method === 'GET' || route.body === 'bytes') return null;
        return openIdempotencyKey(
          scope,
          caller,
          key,
          `${route.method} ${c.req.path} ${JSON.stringify(sent)}`,
        );
      },
      ...(ifMatch === undefined || route.method === 'GET'
        ? {}
        : {
            ifMatch: async (current, caller) => namesTag(ifMatch, entityTag(JSON.stringify(current), caller)),
          }),
      usualStatus: route.status,
    });
    const { output, status, nextCursor } = stored;
    if (nextCursor !== null) c.header('Link', linkToNext(c, nextCursor));
    if (stored.isReplayed) c.header('Idempotent-Replayed', 'true');
    const text = JSON.stringify(fields ? trimToFields(output, fields, expanded) : output);
    c.header('Content-Type', 'application/json');
    return route.method === 'GET' ? answerRead(c, text, stored.caller) : c.body(text, status as 200 | 201);
  };
}

/** RFC 9110, 13.1.2: a client that has this version gets 304 and no body. */
function answerRead(c: HttpContext, text: string, caller: Caller | null): Response {
  const tag = entityTag(text, caller);
  c.header('ETag', tag);
  c.header('Cache-Control', 'private, no-cache');
  const known = c.req.header('If-None-Match');
  return known !== undefined && namesTag(known, tag) ? c.body(null, 304) : c.body(text, 200);
}

/** Replaces the sealed cursor by the one that its list wrote. Throws 400 if it belongs to another list. */
function unsealCursor({ config }: RequestScope, url: URL) {
  const [sealed, ...more] = url.searchParams.getAll('cursor');
  if (sealed === undefined || more.length > 0) return;
  const cursor = openSeal([config.sessionSecret, config.sessionSecretPrevious], listOf(url), sealed);
  if (cursor === null) throw foreignCursor();
  url.searchParams.set('cursor', cursor);
}

/** RFC 8288: the same request, continued after the last item of this page. */
function linkToNext(c: HttpContext, nextCursor: string): string {
  const { config, origin } = c.get('scope');
  const url = new URL(c.req.url);
  url.searchParams.delete('offset');
  url.searchParams.set('cursor', seal(config.sessionSecret, listOf(url), nextCursor));
  return `<${origin}${url.pathname}${url.search}>; rel="next"`;
}

function pathValue(route: Route, name: string, text: string): unknown {
  const schema = unwrap(route.operation.input.shape[name] as z.ZodType);
  if (!(schema instanceof z.ZodNumber)) return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw notFound('resource', text, `GET /v1${route.path.split('/:')[0]}`);
}
