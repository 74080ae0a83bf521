import * as z from 'zod';
import type { AnyOperation } from '../operation/operation.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Route {
  readonly method: HttpMethod;
  /** The path relative to `/v1`, in Hono's notation: `/tasks/:id`. */
  readonly path: string;
  readonly operation: AnyOperation;
  readonly status: 200 | 201;
  /** Explains when a create returns 200 instead of 201. */
  readonly okMeans: string | null;
  /** `bytes` passes the unread request as `ctx.incoming`. */
  readonly body: 'json' | 'bytes';
  readonly inQuery: readonly string[];
}

export const ALREADY_DONE_NOTE = 'Already done; returns the original response.';

export function defineRoute(
  method: HttpMethod,
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

export function getRouteGroup({ path }: Route): string {
  return path.split('/')[1] ?? '';
}

export function listPathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

export function pickPathInput(route: Route): z.ZodObject {
  return pickInputFields(route, (name, inPath) => inPath.includes(name));
}

export function pickQueryInput(route: Route): z.ZodObject {
  return pickInputFields(route, (name, inPath) => !inPath.includes(name) && isInQuery(route, name));
}

export function pickBodyInput(route: Route): z.ZodObject {
  return pickInputFields(route, (name, inPath) => !inPath.includes(name) && !isInQuery(route, name));
}

function isInQuery({ method, inQuery }: Route, name: string): boolean {
  return method === 'GET' || method === 'DELETE' || inQuery.includes(name);
}

function pickInputFields(route: Route, keep: (name: string, inPath: string[]) => boolean): z.ZodObject {
  const inPath = listPathParameters(route.path);
  const { shape } = route.operation.input;
  return z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => keep(name, inPath))));
}
