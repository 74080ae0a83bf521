import type { ArchiveWriter } from '../archive/archive-writer.ts';
import { buildPendingKey, type Position } from '../model/position.ts';
import type { RunningExport } from './slices.queries.ts';

/** Returns the bytes that the last slice couldn't upload, because they don't fill a part. */
export async function readPending(
  bucket: R2Bucket,
  { object_key }: RunningExport,
  { pending }: Position,
): Promise<Uint8Array | null> {
  if (!pending) return null;
  const object = await bucket.get(buildPendingKey(object_key, pending.slot));
  const bytes = object && new Uint8Array(await object.arrayBuffer());
  if (bytes?.length !== pending.bytes) throw new Error('the pending bytes of the archive are missing');
  return bytes;
}

/** Uploads every full part, and at the end the last one. Keeps the rest until the next slice. */
export async function storeBytes(
  bucket: R2Bucket,
  { object_key, upload_id, part_bytes }: RunningExport,
  position: Position,
  writer: ArchiveWriter,
): Promise<{ parts: R2UploadedPart[]; position: Pick<Position, 'parts' | 'pending'> }> {
  const upload = bucket.resumeMultipartUpload(object_key, upload_id ?? '');
  const parts: R2UploadedPart[] = [];
  const isLast = position.step === 'done';
  while (writer.pendingBytes >= part_bytes || (isLast && writer.pendingBytes > 0)) {
    parts.push(await upload.uploadPart(position.parts + parts.length + 1, writer.take(part_bytes)));
  }
  const bytes = writer.pendingBytes;
  const slot = position.pending?.slot === 0 ? 1 : 0;
  if (bytes > 0) await bucket.put(buildPendingKey(object_key, slot), writer.take(bytes));
  return {
    parts,
    position: { parts: position.parts + parts.length, pending: bytes > 0 ? { slot, bytes } : null },
  };
}
