import type { z } from 'zod';
import type { AnyOperation } from './operation.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The REST face of an operation: where it answers and with which status. */
export interface Route {
  readonly method: Method;
  /** Hono's notation, relative to `/v1`: `/tasks/:id`. */
  readonly path: string;
  readonly operation: AnyOperation;
  readonly status: 200 | 201;
}

export function route(
  method: Method,
  path: string,
  operation: AnyOperation,
  options: { status?: 201 } = {},
): Route {
  return { method, path, operation, status: options.status ?? 200 };
}

/** Names in the path: `/tasks/:id` has `id`. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

/** The part of an operation's input that does not stand in the path: its query or its body. */
export function inputBesidePath(route: Route): z.ZodObject {
  const inPath = Object.fromEntries(pathNames(route.path).map((name) => [name, true as const]));
  return route.operation.input.omit(inPath);
}
