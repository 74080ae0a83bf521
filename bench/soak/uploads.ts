import { createHash, randomBytes } from 'node:crypto';
import type { SentFile } from './caller-record.ts';
import type { Person } from './people.ts';

const FILE_BYTES_MAX = 300_000;
const ABORTED_SHARE = 0.15;

/** Randomly aborts some uploads. Returns null for an aborted upload. */
export async function sendInChunks(
  { client }: Person,
  taskId: number,
  fileName: string,
): Promise<SentFile | null> {
  const bytes = createRandomFile();
  const { sessionId } = await client.write<{ sessionId: string }>('POST', '/chunked-upload/init', {
    taskId,
    fileName,
    fileType: 'application/octet-stream',
    fileSize: bytes.length,
  });
  await client.upload(`/chunked-upload/chunk/${sessionId}/1`, bytes);
  if (Math.random() < ABORTED_SHARE) {
    await client.write('POST', `/chunked-upload/abort/${sessionId}`);
    return null;
  }
  const { id } = await client.write<{ id: number }>('POST', `/chunked-upload/complete/${sessionId}`);
  return toSentFile(id, fileName, bytes);
}

export async function sendToPresignedUrl(
  { client, stranger }: Person,
  taskId: number,
  fileName: string,
): Promise<SentFile> {
  const bytes = createRandomFile();
  const attachments = `/tasks/${taskId}/attachments`;
  const { uploadUrl, s3Key } = await client.write<{ uploadUrl: string; s3Key: string }>(
    'POST',
    `${attachments}/presign`,
    { fileName, fileType: 'text/plain', fileSize: bytes.length },
  );
  const { pathname, search } = new URL(uploadUrl);
  const put = await stranger.sendUntilAnswered('PUT', pathname + search, new Uint8Array(bytes), {
    'Content-Type': 'text/plain',
  });
  if (put.status !== 200) throw new Error(`PUT to the presigned URL returned ${put.status}: ${put.text}`);
  const { id } = await client.write<{ id: number }>('POST', `${attachments}/confirm`, { s3Key });
  return toSentFile(id, fileName, bytes);
}

function createRandomFile(): Buffer {
  return randomBytes(1 + Math.floor(Math.random() * FILE_BYTES_MAX));
}

function toSentFile(id: number, fileName: string, bytes: Buffer): SentFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { id, fileName, size: bytes.length, sha256 };
}
