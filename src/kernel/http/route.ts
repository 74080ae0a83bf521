import * as z from 'zod';
import type { AnyOperation } from '../operation/operation.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The REST face of an operation: where it answers and with which status. */
export interface Route {
  readonly method: Method;
  /** Hono's notation, relative to `/v1`: `/tasks/:id`. */
  readonly path: string;
  readonly operation: AnyOperation;
  readonly status: 200 | 201;
  /** When a create answers 200 instead. */
  readonly okMeans: string | null;
  /** `bytes` is handed over unread, as `ctx.incoming`. */
  readonly body: 'json' | 'bytes';
  /** Fields of the input that a request with a body sends in the query. */
  readonly inQuery: readonly string[];
}

/** A create that was done before. */
export const REPEATED = 'Already done; returns the original response.';

/** @param options see `Route`; by default a route answers 200 and takes JSON, or the query where it is GET or DELETE. */
export function route(
  method: Method,
  path: string,
  operation: AnyOperation,
  options: { status?: 201; okMeans?: string; body?: 'bytes'; inQuery?: readonly string[] } = {},
): Route {
  return {
    method,
    path,
    operation,
    status: options.status ?? 200,
    okMeans: options.okMeans ?? null,
    body: options.body ?? 'json',
    inQuery: options.inQuery ?? [],
  };
}

/** The first word of the path, by which the reference groups routes. */
export function groupOf({ path }: Route): string {
  return path.split('/')[1] ?? '';
}

/** Names in the path: `/tasks/:id` has `id`. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

/** The fields of an operation's input that are in the path. */
export function inputInPath(route: Route): z.ZodObject {
  return pickFields(route, (name, inPath) => inPath.includes(name));
}

/** The fields of the query: all others where there is no body. */
export function inputInQuery(route: Route): z.ZodObject {
  return pickFields(route, (name, inPath) => !inPath.includes(name) && isInQuery(route, name));
}

/** The fields of the body. */
export function inputInBody(route: Route): z.ZodObject {
  return pickFields(route, (name, inPath) => !inPath.includes(name) && !isInQuery(route, name));
}

function isInQuery({ method, inQuery }: Route, name: string): boolean {
  return method === 'GET' || method === 'DELETE' || inQuery.includes(name);
}

function pickFields(route: Route, keep: (name: string, inPath: string[]) => boolean): z.ZodObject {
  const inPath = pathNames(route.path);
  const { shape } = route.operation.input;
  return z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => keep(name, inPath))));
}
