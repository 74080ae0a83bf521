import * as z from 'zod';
import { describeUnknownFields, describeUnknownName, unwrapSchema } from '../errors/describe-parse-error.ts';
import { AppError, invalidRequestError, notFoundError } from '../errors/errors.ts';
import { invalidCursorError } from '../lists/pagination.ts';
import { parameterGroups } from '../operation/schema.ts';
import { removeSeal } from '../secrets/seal.ts';
import { decodeUtf8, describeTooLargeBody, readBytes } from './bounded-body.ts';
import type { HttpContext } from './http.ts';
import { buildListKey } from './list-key.ts';
import { listPathParameters, pickBodyInput, pickQueryInput, type Route } from './route.ts';
import { parseFields } from './trim-fields.ts';

export interface RouteInputs {
  readonly route: Route;
  readonly inPath: readonly string[];
  readonly inQuery: z.ZodObject;
  readonly inBody: z.ZodObject;
}

export function splitRouteInput(route: Route): RouteInputs {
  return {
    route,
    inPath: listPathParameters(route.path),
    inQuery: pickQueryInput(route),
    inBody: pickBodyInput(route),
  };
}

/** Call `read` before you use the public fields, because it sets them. */
export class RestInput {
  readonly #c: HttpContext;
  readonly #inputs: RouteInputs;
  fields: ReadonlySet<string> | null = null;
  expanded: readonly string[] = [];
  sent: Readonly<Record<string, unknown>> = {};

  constructor(c: HttpContext, inputs: RouteInputs) {
    this.#c = c;
    this.#inputs = inputs;
  }

  async read(): Promise<Record<string, unknown>> {
    const { route, inQuery } = this.#inputs;
    const url = new URL(this.#c.req.url);
    const query = url.searchParams;
    if (route.method === 'GET' && query.has('fields')) {
      this.fields = parseFields(query.getAll('fields').join(','), route.operation.output);
      query.delete('fields');
    }
    if (query.has('cursor') && query.has('offset')) {
      throw invalidRequestError("cursor and offset can't be combined. Send only one of them.", 'cursor');
    }
    if ('cursor' in inQuery.shape) this.#unsealCursor(url);
    const sent = await this.#readQueryAndBody(query);
    if (Array.isArray(sent.expand)) this.expanded = sent.expand as string[];
    this.sent = sent;
    if (this.fields && 'fields' in inQuery.shape) sent.fields = [...this.fields];
    return { ...sent, ...this.#readPath() };
  }

  async #readQueryAndBody(query: URLSearchParams): Promise<Record<string, unknown>> {
    const { route, inQuery, inBody } = this.#inputs;
    if (route.method === 'GET')
      return decodeQuery(query, inQuery.omit('fields' in inQuery.shape ? { fields: true } : {}), ['fields']);
    const decoded = decodeQuery(query, inQuery);
    if (route.method === 'DELETE' || route.body === 'bytes') return decoded;
    const body = await decodeBody(this.#c.req.raw);
    // Rejects unknown fields here, because the complete schema would also accept path parameters in the body.
    const unknown = Object.keys(body).filter((name) => !Object.hasOwn(inBody.shape, name));
    if (unknown.length > 0)
      throw invalidRequestError(describeUnknownFields(unknown, Object.keys(inBody.shape)), unknown[0]);
    return { ...body, ...decoded };
  }

  #readPath(): Record<string, unknown> {
    const { route, inPath } = this.#inputs;
    return Object.fromEntries(
      inPath.map((name) => [name, decodePathValue(route, name, this.#c.req.param(name) ?? '')]),
    );
  }

  #unsealCursor(url: URL) {
    const { config } = this.#c.get('scope');
    const [sealed, ...more] = url.searchParams.getAll('cursor');
    if (sealed === undefined || more.length > 0) return;
    const cursor = removeSeal(
      [config.sessionSecret, config.sessionSecretPrevious],
      buildListKey(url),
      sealed,
    );
    if (cursor === null) throw invalidCursorError();
    url.searchParams.set('cursor', cursor);
  }
}

function decodePathValue(route: Route, name: string, text: string): unknown {
  const schema = unwrapSchema(route.operation.input.shape[name] as z.ZodType);
  if (!(schema instanceof z.ZodNumber)) return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw notFoundError('resource', text, `GET /v1${route.path.split('/:')[0]}`);
}

export const BODY_BYTES_MAX = 1024 * 1024;

/** A value that can't be converted is returned as text, so that the error message can quote it. */
export function decodeQuery(
  search: URLSearchParams,
  schema: z.ZodObject,
  alsoAllowed: readonly string[] = [],
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  const groups = Object.entries(schema.shape).flatMap(([name, type]) => {
    const group = parameterGroups.get(type as z.ZodType);
    return group ? [{ name, ...group }] : [];
  });
  const allowed = Object.keys(schema.shape).map(
    (name) => groups.find((group) => group.name === name)?.example ?? name,
  );
  for (const [name, text] of search) {
    const group = groups.find(({ pattern }) => pattern.test(name));
    if (group) {
      const before = (decoded[group.name] ?? {}) as Record<string, string>;
      if (Object.hasOwn(before, name))
        throw invalidRequestError(describeRepeatedParameter(name, search), name);
      decoded[group.name] = { ...before, [name]: text };
      continue;
    }
    if (!allowed.includes(name) || !Object.hasOwn(schema.shape, name)) {
      throw invalidRequestError(
        describeUnknownName('query parameter', name, [...allowed, ...alsoAllowed]),
        name,
      );
    }
    const type = schema.shape[name] as z.ZodType;
    const before = decoded[name];
    const isRepeated = Object.hasOwn(decoded, name);
    if (isRepeated && !Array.isArray(before))
      throw invalidRequestError(describeRepeatedParameter(name, search), name);
    const value = decodeQueryValue(text, type);
    decoded[name] = isRepeated && Array.isArray(before) ? before.concat(value) : value;
  }
  return decoded;
}

function describeRepeatedParameter(name: string, search: URLSearchParams): string {
  const times = search.getAll(name).length;
  return `${name} was sent ${times === 2 ? 'twice' : `${times} times`}; send it once`;
}

function decodeQueryValue(text: string, schema: z.ZodType): unknown {
  const type = unwrapSchema(schema);
  if (type instanceof z.ZodNumber) return /^-?\d{1,16}(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  if (type instanceof z.ZodArray) {
    return text.split(',').map((part) => decodeQueryValue(part.trim(), type.element as z.ZodType));
  }
  return text;
}

export async function decodeBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequestError(
      'The body is not valid JSON. Send one JSON object, with Content-Type: application/json.',
    );
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw invalidRequestError('The body must be a JSON object, in braces.');
  }
  return body as Record<string, unknown>;
}

async function readText({ body }: Request): Promise<string> {
  try {
    const bytes = await readBytes(body, BODY_BYTES_MAX);
    if (bytes === null) throw invalidRequestError(describeTooLargeBody(BODY_BYTES_MAX));
    return decodeUtf8(bytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidRequestError('The body must be complete, valid UTF-8. Send one JSON object in UTF-8.');
  }
}
