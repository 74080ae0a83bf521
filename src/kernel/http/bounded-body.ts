import { bodyLimit } from 'hono/body-limit';
import { invalidRequest } from '../errors/errors.ts';

/** Reads a body of at most so many bytes; null where there are more. Throws where it breaks off. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  const [only] = parts;
  return only && parts.length === 1 ? only : Buffer.concat(parts);
}

/** Throws where the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
}

/** @param what the sentence calls the body. */
export function describeTooLarge(bytesMax: number, what = 'body'): string {
  return `The ${what} is larger than ${bytesMax} bytes; send less.`;
}

interface Limit {
  readonly what?: string;
  /** Makes the error that is thrown; by default a refusal with 400. */
  readonly refuse?: (message: string) => Error;
}

/** Middleware that refuses larger bodies before they are read. */
export function limitBody(bytesMax: number, { what, refuse = invalidRequest }: Limit = {}) {
  return bodyLimit({
    maxSize: bytesMax,
    onError: () => {
      throw refuse(describeTooLarge(bytesMax, what));
    },
  });
}
