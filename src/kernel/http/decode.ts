import * as z from 'zod';
import { AppError, invalidRequest } from '../errors/errors.ts';
import { describeUnknown, unwrap } from '../errors/explain.ts';
import { decodeUtf8, describeTooLarge, readBytes } from './bounded-body.ts';

/** JSON bodies carry text only; files go through the upload endpoints. */
export const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Query strings carry text, and the schema says the type of each value. A value that does not convert stays text, so that
 * the schema refuses it and shows it as it was sent.
 * @param alsoAllowed parameters that were taken out already, for the message.
 */
export function decodeQuery(
  search: URLSearchParams,
  schema: z.ZodObject,
  alsoAllowed: readonly string[] = [],
): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  const allowed = Object.keys(schema.shape);
  for (const [name, text] of search) {
    if (!allowed.includes(name)) {
      throw invalidRequest(describeUnknown('query parameter', name, [...allowed, ...alsoAllowed]));
    }
    const type = schema.shape[name] as z.ZodType;
    const before = decoded[name];
    const isRepeated = Object.hasOwn(decoded, name);
    if (isRepeated && !Array.isArray(before)) throw invalidRequest(describeRepeated(name, search));
    const value = decodeText(text, type);
    decoded[name] = isRepeated && Array.isArray(before) ? before.concat(value) : value;
  }
  return decoded;
}

function describeRepeated(name: string, search: URLSearchParams): string {
  const times = search.getAll(name).length;
  return `${name} was sent ${times === 2 ? 'twice' : `${times} times`}; send it once`;
}

function decodeText(text: string, schema: z.ZodType): unknown {
  const type = unwrap(schema);
  if (type instanceof z.ZodNumber) return /^-?\d{1,16}(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  if (type instanceof z.ZodArray) {
    return text.split(',').map((part) => decodeText(part.trim(), type.element as z.ZodType));
  }
  return text;
}

/** Reads a JSON object, at most `BODY_BYTES_MAX` of it. No body is an empty object: some POSTs take none. */
export async function decodeBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequest(
      'The body is not valid JSON. Send one JSON object, with Content-Type: application/json.',
    );
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw invalidRequest('The body must be a JSON object, in braces.');
  }
  return body as Record<string, unknown>;
}

async function readText({ body }: Request): Promise<string> {
  try {
    const bytes = await readBytes(body, BODY_BYTES_MAX);
    if (bytes === null) throw invalidRequest(describeTooLarge(BODY_BYTES_MAX));
    return decodeUtf8(bytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidRequest('The body is not valid UTF-8 or broke off. Send one JSON object in UTF-8.');
  }
}
