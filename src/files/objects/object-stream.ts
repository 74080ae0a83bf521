import { describeError, log } from '../../kernel/operation/log.ts';

const PIECE_BYTES = 2 * 1024 ** 2;
/** A request can call R2 up to 1,000 times, so larger files are read in larger pieces. */
const PIECES_MAX = 500;

export interface ObjectRange {
  readonly key: string;
  readonly etag: string;
  readonly offset: number;
  readonly length: number;
}

export function isLongRange(bytes: number): boolean {
  return bytes > PIECE_BYTES;
}

/** Requests up to two pieces at a time, because otherwise R2 may read far ahead of a slow client. */
export function streamObjectRange(bucket: R2Bucket, span: ObjectRange): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(span.length);
  // This needs no waitUntil, because the request lasts until its body has been sent.
  void sendPieces(bucket, span, writable);
  return readable;
}

async function sendPieces(
  bucket: R2Bucket,
  span: ObjectRange,
  target: WritableStream<Uint8Array>,
): Promise<void> {
  const end = span.offset + span.length;
  const pieceBytes = Math.max(PIECE_BYTES, Math.ceil(span.length / PIECES_MAX));
  const requestPiece = (offset: number) => {
    if (offset >= end) return null;
    const piece = getPiece(bucket, span, offset, Math.min(pieceBytes, end - offset));
    // Avoids an unhandled rejection if the piece fails before it is awaited.
    piece.catch(() => undefined);
    return piece;
  };
  let next = requestPiece(span.offset);
  try {
    for (let offset = span.offset + pieceBytes; next; offset += pieceBytes) {
      const piece = await next;
      next = requestPiece(offset);
      await piece.pipeTo(target, { preventClose: true });
    }
    await target.close();
  } catch (error) {
    log('info', 'download.broken', { key: span.key, cause: describeError(error) });
    await Promise.allSettled([next?.then((piece) => piece.cancel()), target.abort(error)]);
  }
}

async function getPiece(
  bucket: R2Bucket,
  span: ObjectRange,
  offset: number,
  length: number,
): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(span.key, {
    range: { offset, length },
    onlyIf: { etagMatches: span.etag },
  });
  if (!object || !('body' in object))
    throw new Error('the object was deleted or replaced while it was being read');
  return object.body;
}
