import * as z from 'zod';
import type { AnyOperation } from './operation.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The REST face of an operation: where it answers and with which status. */
export interface Route {
  readonly method: Method;
  /** Hono's notation, relative to `/v1`: `/tasks/:id`. */
  readonly path: string;
  readonly operation: AnyOperation;
  readonly status: 200 | 201;
  /** A create that answers 200 when it is repeated. */
  readonly isRepeatable: boolean;
  /** `bytes` is handed over unread, as `ctx.incoming`. */
  readonly body: 'json' | 'bytes';
}

export function route(
  method: Method,
  path: string,
  operation: AnyOperation,
  options: { status?: 201; isRepeatable?: boolean; body?: 'bytes' } = {},
): Route {
  return {
    method,
    path,
    operation,
    status: options.status ?? 200,
    isRepeatable: options.isRepeatable ?? false,
    body: options.body ?? 'json',
  };
}

/** Names in the path: `/tasks/:id` has `id`. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

/** The fields of an operation's input that are in the path. */
export function inputInPath(route: Route): z.ZodObject {
  return pickFields(route, (name, inPath) => inPath.includes(name));
}

/** The other fields: those of the query or the body. */
export function inputBesidePath(route: Route): z.ZodObject {
  return pickFields(route, (name, inPath) => !inPath.includes(name));
}

function pickFields(route: Route, keep: (name: string, inPath: string[]) => boolean): z.ZodObject {
  const inPath = pathNames(route.path);
  const { shape } = route.operation.input;
  return z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => keep(name, inPath))));
}
