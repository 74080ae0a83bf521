import { bodyLimit } from 'hono/body-limit';
import { invalidRequestError } from '../errors/errors.ts';

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

export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
}

export function describeTooLargeBody(bytesMax: number, what = 'body'): string {
  return `The ${what} has more than ${bytesMax.toLocaleString('en')} bytes. Make it smaller, or split it.`;
}

interface BodyLimitOptions {
  readonly what?: string;
  readonly buildError?: (message: string) => Error;
}

export function limitBody(
  bytesMax: number,
  { what, buildError = invalidRequestError }: BodyLimitOptions = {},
) {
  return bodyLimit({
    maxSize: bytesMax,
    onError: () => {
      throw buildError(describeTooLargeBody(bytesMax, what));
    },
  });
}
