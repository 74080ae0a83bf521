import { type OperationInput, toHex } from './call-operation.ts';
import { sendWithRetries } from './send.ts';
import type { CallOptions, ClientOptions } from './types.ts';

const SINGLE_REQUEST_BYTES_MAX = 8 * 1024 * 1024;

export interface UploadInput {
  readonly file: Blob | Uint8Array<ArrayBuffer>;
  readonly taskId?: number | undefined;
  readonly projectId?: number | undefined;
  readonly fileName?: string | undefined;
  readonly fileType?: string | undefined;
  readonly parentId?: number | undefined;
}

export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  readonly onProgress?: ((sent: number, total: number) => void) | undefined;
}

type OperationCaller = (
  name: string,
  input: OperationInput,
  options?: CallOptions,
) => Promise<OperationInput>;

/** Uploads to a presigned URL, or in chunks if the file is large or belongs to a project. Returns the attachment. */
export async function uploadFile(
  client: ClientOptions,
  call: OperationCaller,
  { file, taskId, projectId, parentId, ...named }: UploadInput,
  { signal, onProgress }: UploadOptions = {},
): Promise<unknown> {
  const blob = file instanceof Blob ? file : new Blob([file]);
  const fileDetails = {
    fileName: named.fileName ?? (file as Partial<File>).name ?? 'file',
    fileType: named.fileType || blob.type || 'application/octet-stream',
    fileSize: blob.size,
  };
  if (taskId === undefined || blob.size > SINGLE_REQUEST_BYTES_MAX) {
    const started = await call('initUpload', { taskId, projectId, parentId, ...fileDetails }, { signal });
    return uploadChunks(call, blob, started as unknown as UploadSession, { signal, onProgress });
  }
  const presigned = await call('presignAttachment', { id: taskId, ...fileDetails }, { signal });
  const init = { method: 'PUT', headers: { 'Content-Type': fileDetails.fileType }, signal: signal ?? null };
  await sendWithRetries(
    client,
    presigned.uploadUrl as string,
    { ...init, body: await blob.arrayBuffer() },
    true,
  );
  onProgress?.(blob.size, blob.size);
  return call('confirmAttachment', { id: taskId, s3Key: presigned.s3Key, parentId }, { signal });
}

interface UploadSession {
  readonly sessionId: string;
  readonly chunkSize: number;
  readonly totalChunks: number;
}

async function uploadChunks(
  call: OperationCaller,
  blob: Blob,
  { sessionId, chunkSize, totalChunks }: UploadSession,
  { signal, onProgress }: UploadOptions,
): Promise<unknown> {
  try {
    for (let partNumber = 1; partNumber <= totalChunks; partNumber += 1) {
      const end = Math.min(partNumber * chunkSize, blob.size);
      const body = await blob.slice((partNumber - 1) * chunkSize, end).arrayBuffer();
      await call(
        'uploadChunk',
        { sessionId, partNumber, body },
        { signal, headers: await buildChunkHeaders(body) },
      );
      onProgress?.(end, blob.size);
    }
    return await call('completeUpload', { sessionId }, { signal });
  } catch (error) {
    // Frees the reserved storage now instead of in 24 hours.
    await call('abortUpload', { sessionId }).catch(() => undefined);
    throw error;
  }
}

/** Returns no checksum on pages without HTTPS, which can't use `crypto.subtle`. */
async function buildChunkHeaders(body: ArrayBuffer): Promise<Record<string, string>> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  return subtle ? { 'X-Chunk-SHA256': toHex(new Uint8Array(await subtle.digest('SHA-256', body))) } : {};
}
