import { encodeHexLowerCase } from '@oslojs/encoding';

interface PipedPart {
  /** Of known length, as R2 wants it. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Hex, once the stream has gone through; null where nobody asked. Rejects where the source breaks off. */
  readonly sha256: Promise<string | null>;
}

/** Passes exactly `size` bytes on as they come, hashing them on the way where that is asked for. */
export function pipePart(source: ReadableStream<Uint8Array>, size: number, isHashed: boolean): PipedPart {
  const { readable, writable } = new FixedLengthStream(size);
  if (!isHashed) return { readable, sha256: source.pipeTo(writable).then(() => null) };
  return { readable, sha256: hashThrough(source, writable) };
}

async function hashThrough(
  source: ReadableStream<Uint8Array>,
  target: WritableStream<Uint8Array>,
): Promise<string> {
  const digest = new crypto.DigestStream('SHA-256');
  const [hasher, writer] = [digest.getWriter(), target.getWriter()];
  try {
    for await (const piece of source) {
      await hasher.write(piece);
      await writer.write(piece);
    }
    await Promise.all([hasher.close(), writer.close()]);
  } catch (error) {
    void digest.digest.catch(() => undefined);
    await Promise.allSettled([hasher.abort(error), writer.abort(error)]);
    throw error;
  }
  return encodeHexLowerCase(new Uint8Array(await digest.digest));
}
