import { encodeHexLowerCase } from '@oslojs/encoding';

const BUFFER_BYTES = 64 * 1024;
const ABORT_DETECTION_MS = 100;

interface PipedPart {
  readonly readable: ReadableStream<Uint8Array>;
  /** The hash in hex, or null if none was requested. Rejects if the source aborts. */
  readonly sha256: Promise<string | null>;
  /** After a failure, resolves to true if the sender aborted, and to false if the receiver failed. */
  readonly hasSenderAborted: () => Promise<boolean>;
}

export function pipePart(source: ReadableStream<Uint8Array>, size: number, isHashed: boolean): PipedPart {
  const { readable, writable } = new FixedLengthStream(size);
  const piped = isHashed ? pipeAndHash(source, writable) : source.pipeTo(writable).then(() => null);
  const hasSenderAborted = async () => {
    await Promise.race([piped.catch(() => null), scheduler.wait(ABORT_DETECTION_MS)]);
    // A failed receiver cancels the source, which then closes normally. An aborted source reports an error.
    if (source.locked) return false;
    return source.getReader().closed.then(
      () => false,
      () => true,
    );
  };
  return { readable, sha256: piped, hasSenderAborted };
}

async function pipeAndHash(
  source: ReadableStream<Uint8Array>,
  target: WritableStream<Uint8Array>,
): Promise<string> {
  const digest = new crypto.DigestStream('SHA-256');
  const [hasher, writer] = [digest.getWriter(), target.getWriter()];
  const reader = source.getReader({ mode: 'byob' });
  try {
    let buffer = new ArrayBuffer(BUFFER_BYTES);
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done || !value) break;
      await hasher.write(value);
      await writer.write(value);
      buffer = value.buffer;
    }
    await Promise.all([hasher.close(), writer.close()]);
  } catch (error) {
    void digest.digest.catch(() => undefined);
    await Promise.allSettled([hasher.abort(error), writer.abort(error)]);
    reader.releaseLock();
    throw error;
  }
  return encodeHexLowerCase(new Uint8Array(await digest.digest));
}
