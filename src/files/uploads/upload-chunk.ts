import * as z from 'zod';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { isMultipartForm, readFormPart } from './form-part.ts';
import { getSessionStub, requireSession, toOwnerKey } from './session.ts';
import type { PutPartResult } from './session-state.ts';
import { getPartSize, sessionClosedError, sessionNotFoundError } from './uploads.policy.ts';
import { partNumber, sessionId, storedChunk } from './uploads.schema.ts';

export const uploadChunk = defineOperation(
  {
    name: 'uploadChunk',
    summary: 'Upload a chunk',
    description:
      'Send raw bytes or a single multipart/form-data part; Content-Length is required. Chunks can be sent in any order, in parallel and more than once: the last upload of a chunk wins. Add an X-Chunk-SHA256 header (hex) to have damaged chunks rejected.',
    access: 'tasks:write',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({ sessionId, partNumber }),
    output: storedChunk,
  },
  async (ctx, input) => {
    const id = input.sessionId;
    const number = Number(input.partNumber);
    // The empty batch checks the credential before the body is read, because a request whose body has been read can't
    // be retried.
    const [{ plan, state }] = await Promise.all([requireSession(ctx, id), ctx.db.batch([])]);
    const size = getPartSize(plan, number);
    const { body, headers } = requireBody(ctx);
    const sha256 = readChecksum(headers);
    const bodyBytes = readContentLength(headers, size);
    if (state !== 'open') throw sessionClosedError(id, state);
    const part = { number, size, sha256 };
    const contentType = headers.get('Content-Type') ?? '';
    let rejection: unknown;
    // Checks the credential again after the last byte, because it may be revoked while bytes arrive.
    const isAllowed = () =>
      ctx.recheck().then(
        () => true,
        (error: unknown) => {
          rejection = error;
          return false;
        },
      );
    const store = async (bytes: ReadableStream<Uint8Array>): Promise<PutPartResult> =>
      getSessionStub(ctx.request, id).putPart(toOwnerKey(ctx.caller), part, bytes, isAllowed);
    let stored: PutPartResult;
    if (isMultipartForm(contentType)) {
      const form = await readFormPart(body, { contentType, bodyBytes, partBytes: size });
      stored = await waitForPartAndForm(store(form.bytes), form.ended);
    } else {
      if (bodyBytes !== size) throw wrongSizeError(number, size, bodyBytes);
      stored = await store(body);
    }
    if (stored.kind === 'refused') throw rejection;
    if (stored.kind === 'broken') throw interruptedBodyError(number);
    if (stored.kind === 'gone') throw sessionNotFoundError(id);
    if (stored.kind === 'closed') throw sessionClosedError(id, stored.state);
    if (stored.kind === 'mismatch') {
      throw invalidRequestError(
        `X-Chunk-SHA256 must match the bytes of chunk ${number}, whose SHA-256 is ${stored.sha256}; got ${sha256}. The chunk was not stored. Send it again.`,
      );
    }
    const { receivedChunks } = stored;
    return { sessionId: id, partNumber: number, size, receivedChunks, totalChunks: plan.totalChunks };
  },
);

function requireBody({ incoming }: Context): { body: ReadableStream<Uint8Array>; headers: Headers } {
  const { body, headers } = incoming ?? {};
  if (!body || !headers) throw invalidRequestError('The body is empty. Send the bytes of the chunk.');
  return { body, headers };
}

function readContentLength(headers: Headers, size: number): number {
  const text = headers.get('Content-Length');
  if (text === null) {
    throw invalidRequestError(
      `Content-Length is required: ${size} for the raw bytes of this chunk. Chunked transfer encoding is not supported.`,
    );
  }
  return Number(text);
}

function readChecksum(headers: Headers): string | null {
  const text = headers.get('X-Chunk-SHA256');
  if (text === null) return null;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw invalidRequestError(
    `X-Chunk-SHA256 must be a SHA-256 in 64 hexadecimal digits; got ${quoteValue(text)}`,
  );
}

function wrongSizeError(number: number, size: number, got: number) {
  return invalidRequestError(
    `Chunk ${number} must have exactly ${size} bytes; got ${got}. Only the last chunk can be smaller than chunkSize.`,
  );
}

function interruptedBodyError(number: number) {
  return invalidRequestError(
    `The upload of chunk ${number} was interrupted. The chunk was not stored. Send it again.`,
  );
}

/** Throws the form's error if both fail, because a malformed form also breaks its part. */
async function waitForPartAndForm(
  work: Promise<PutPartResult>,
  ended: Promise<void>,
): Promise<PutPartResult> {
  const [result, end] = await Promise.allSettled([work, ended]);
  if (result.status === 'fulfilled' && result.value.kind !== 'broken') return result.value;
  if (end.status === 'rejected' && end.reason instanceof AppError) throw end.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
