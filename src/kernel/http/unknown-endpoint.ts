import type { Handler } from 'hono';
import * as z from 'zod';
import { AppError } from '../errors/errors.ts';
import { execute } from '../execute/execute.ts';
import { defineOperation } from '../operation/operation.ts';
import type { HttpContext, HttpEnv, RequestServices } from './http.ts';
import type { Route } from './route.ts';

const unknownEndpointOperation = defineOperation(
  {
    name: 'unknownEndpoint',
    summary: 'Return an error for a URL without an endpoint',
    access: 'profile:read',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({}),
  },
  async () => ({}),
);

export function createUnknownEndpointHandler(
  routes: readonly Route[],
  services: RequestServices,
): Handler<HttpEnv> {
  return async (c) => {
    if (c.req.header('Authorization') !== undefined) await countRequest(c, services);
    const { pathname } = new URL(c.req.url);
    throw unknownEndpointError(
      c.req.method,
      pathname,
      findAllowedMethods(routes, pathname.slice('/v1'.length)),
    );
  };
}

async function countRequest(c: HttpContext, { authenticate, createRateLimiter }: RequestServices) {
  const scope = c.get('scope');
  const rateLimiter = createRateLimiter(scope);
  c.set('rateLimiter', rateLimiter);
  try {
    await execute(unknownEndpointOperation, {
      request: scope,
      authenticator: authenticate(c),
      rateLimiter,
      input: () => ({}),
      cell: (caller) => scope.cell(caller.cell),
      accepted: (caller) => c.set('caller', caller),
    });
  } catch (error) {
    // The endpoint doesn't exist for anyone, so a request with an invalid credential also returns 404.
    if (!(error instanceof AppError) || error.code === 'rate_limited') throw error;
  }
}

export function findAllowedMethods(routes: readonly Route[], path: string): string[] | null {
  const segments = path.split('/');
  const methods = routes
    .filter((route) => {
      const pattern = route.path.split('/');
      return (
        pattern.length === segments.length &&
        pattern.every((part, index) =>
          part.startsWith(':') ? segments[index] !== '' : part === segments[index],
        )
      );
    })
    .map((route) => route.method);
  return methods.length > 0 ? [...new Set(methods)] : null;
}

const SHOWN_PATH_CHARACTERS_MAX = 200;

export function unknownEndpointError(method: string, path: string, allowed: string[] | null): AppError {
  const shown =
    path.length > SHOWN_PATH_CHARACTERS_MAX ? `${path.slice(0, SHOWN_PATH_CHARACTERS_MAX)}…` : path;
  if (allowed) {
    return new AppError('not_found', `${shown} does not support ${method}. Use ${allowed.join(' or ')}.`, {
      headers: { Allow: allowed.join(', ') },
    });
  }
  return new AppError(
    'not_found',
    `There is no endpoint ${method} ${shown}. GET /openapi.json lists every endpoint.`,
  );
}
