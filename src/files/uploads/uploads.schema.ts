import * as z from 'zod';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  integerId,
  timestamp,
} from '../../kernel/operation/schema.ts';
import {
  FILE_NAME_CHARACTERS_MAX,
  FILE_TYPE_CHARACTERS_MAX,
  fileName,
  fileSize,
  fileType,
  parentId,
} from '../attachments/attachments.schema.ts';

const MIB = 1024 ** 2;
const CHUNK_BYTES_MIN = 8 * MIB;
/** The number of parts that R2 allows per upload. */
const CHUNKS_MAX = 10_000;

export function computeChunkSize(fileBytes: number): number {
  return Math.max(CHUNK_BYTES_MIN, Math.ceil(fileBytes / CHUNKS_MAX / MIB) * MIB);
}

export const sessionId = z.string().min(1).max(100).meta({ example: '8sJ2mQx0bNf4T1yVgWcR7uKdLpA' });

export const uploadInput = z.strictObject({
  taskId: integerId
    .optional()
    .meta({ description: 'The task to attach the file to. Takes precedence over `projectId`.' }),
  projectId: integerId.optional().meta({ description: 'The project to attach the file to.' }),
  fileName,
  fileSize,
  fileType,
  parentId: parentId.optional(),
});

// Accepts any text, so that an invalid number returns 400 instead of 404. `override` makes the API reference
// show an integer.
export const partNumber = z
  .string()
  .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= CHUNKS_MAX, {
    message: `must be an integer from 1 to ${CHUNKS_MAX}`,
  })
  .meta({
    description: 'The number of the chunk, from 1 to `totalChunks`.',
    override: { type: 'integer', minimum: 1, maximum: CHUNKS_MAX, example: 1 },
  });

export const startedUpload = z
  .object({
    sessionId: buildAsciiTextSchema(100),
    status: z.literal('open'),
    chunkSize: z
      .int()
      .meta({ description: 'The size of each chunk in bytes. Only the last chunk can be smaller.' }),
    totalChunks: z.int(),
    expiresAt: timestamp,
  })
  .meta({ id: 'StartedUpload' });

export const storedChunk = z
  .object({
    sessionId: buildAsciiTextSchema(100),
    partNumber: z.int(),
    size: z.int(),
    receivedChunks: z.int(),
    totalChunks: z.int(),
  })
  .meta({ id: 'StoredChunk' });

export const uploadStatus = z
  .object({
    sessionId: buildAsciiTextSchema(100),
    status: z.enum(['open', 'completed', 'aborted']),
    fileName: buildPlainTextSchema(FILE_NAME_CHARACTERS_MAX),
    fileType: buildAsciiTextSchema(FILE_TYPE_CHARACTERS_MAX),
    fileSize: z.int(),
    chunkSize: z.int(),
    totalChunks: z.int(),
    receivedChunks: z.int(),
    receivedBytes: z.int(),
    missingParts: z.array(z.int()).max(CHUNKS_MAX),
    expiresAt: timestamp,
  })
  .meta({ id: 'UploadStatus' });

export const abortedUpload = z
  .object({ sessionId: buildAsciiTextSchema(100), status: z.literal('aborted') })
  .meta({ id: 'AbortedUpload' });
