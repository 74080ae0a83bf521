import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';

const PART_HEADER_BYTES_MAX = 16 * 1024;
const BOUNDARY_PATTERN = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

export function isMultipartForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}

interface FormPart {
  readonly bytes: ReadableStream<Uint8Array>;
  readonly ended: Promise<void>;
}

/** The form has one part of known length, so the part isn't scanned for the boundary (RFC 7578). */
export async function readFormPart(
  body: ReadableStream<Uint8Array>,
  form: { contentType: string; bodyBytes: number; partBytes: number },
): Promise<FormPart> {
  const match = BOUNDARY_PATTERN.exec(form.contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined)
    throw invalidRequestError('Content-Type multipart/form-data must include its boundary.');
  const reader = body.getReader();
  const { headBytes, rest } = await readPartHeaders(reader, `--${boundary}\r\n`);
  const tail = `\r\n--${boundary}--`;
  const received = form.bodyBytes - headBytes - tail.length;
  // A line break after the last boundary is common but optional.
  if (received !== form.partBytes && received !== form.partBytes + 2) {
    void reader.cancel().catch(() => undefined);
    throw wrongFormError(form.partBytes);
  }
  const { readable, writable } = new FixedLengthStream(form.partBytes);
  const ended = forwardPart(reader, rest, writable.getWriter(), form.partBytes, tail);
  return { bytes: readable, ended };
}

type ByteReader = ReadableStreamDefaultReader<Uint8Array>;

async function readPartHeaders(
  reader: ByteReader,
  opening: string,
): Promise<{ headBytes: number; rest: Uint8Array }> {
  let head = new Uint8Array(PART_HEADER_BYTES_MAX);
  let length = 0;
  for (;;) {
    const piece = await readPiece(reader);
    if (piece.done || length > PART_HEADER_BYTES_MAX) {
      throw invalidRequestError(
        'The body must be multipart/form-data with one part; got unterminated part headers.',
      );
    }
    // Copies each byte at most twice and scans each byte once, even if the pieces are tiny.
    const wanted = length + piece.value.byteLength;
    if (wanted > head.byteLength) head = concatBytes(head.subarray(0, length), new Uint8Array(wanted));
    head.set(piece.value, length);
    const end = findBlankLine(head.subarray(0, wanted), Math.max(3, length));
    length = wanted;
    if (end > 0) {
      if (!startsWith(head, opening))
        throw invalidRequestError('The body must begin with the boundary from Content-Type.');
      return { headBytes: end, rest: head.subarray(end, length) };
    }
  }
}

async function forwardPart(
  reader: ByteReader,
  first: Uint8Array,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  partBytes: number,
  tail: string,
): Promise<void> {
  let left = partBytes;
  let after = new Uint8Array();
  // Holds back the last piece until the form has ended correctly, because the last byte completes the part.
  let held = new Uint8Array();
  try {
    for (let piece = first; ; ) {
      const inside = piece.subarray(0, left);
      left -= inside.byteLength;
      after = concatBytes(after, piece.subarray(inside.byteLength)).subarray(0, PART_HEADER_BYTES_MAX);
      if (inside.byteLength > 0) {
        if (held.byteLength > 0) await writer.write(held);
        held = inside.slice();
      }
      const next = await readPiece(reader);
      if (next.done) break;
      piece = next.value;
    }
    if (left > 0 || !startsWith(after, tail)) throw wrongFormError(partBytes);
    await writer.write(held);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

async function readPiece(reader: ByteReader): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch {
    throw invalidRequestError('The upload was interrupted and nothing was stored. Send it again.');
  }
}

function wrongFormError(partBytes: number): AppError {
  return invalidRequestError(
    `The form must contain exactly one part of ${partBytes} bytes. Send only the chunk, or send it raw as application/octet-stream.`,
  );
}

function findBlankLine(bytes: Uint8Array, from: number): number {
  for (let index = from; index < bytes.byteLength; index += 1) {
    if (
      bytes[index] === 10 &&
      bytes[index - 1] === 13 &&
      bytes[index - 2] === 10 &&
      bytes[index - 3] === 13
    ) {
      return index + 1;
    }
  }
  return 0;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, text.length)) === text;
}

function concatBytes(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.byteLength + tail.byteLength);
  joined.set(head);
  joined.set(tail, head.byteLength);
  return joined;
}
