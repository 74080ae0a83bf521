import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput } from '../../kernel/operation/schema.ts';
import { attachmentNotFoundError } from './attachments.policy.ts';
import { findAttachment } from './attachments.queries.ts';
import { fileName, fileType } from './attachments.schema.ts';
import { findOwnUpload } from './storage.queries.ts';

// Agents often can't reach presigned URLs, so they send and receive text directly.

const READ_BYTES_MAX = 20 * 1024;
export const TEXT_CHARACTERS_MAX = 100_000;
const TEXT_TYPE_PATTERN = /^text\/|[/+](json|xml|yaml|csv|markdown|x-ndjson|javascript|sql|toml|x-sh)$/i;

export const readTextAttachment = defineOperation(
  {
    name: 'readTextAttachment',
    summary: 'Read the beginning of a text file attached to a task',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({ id: integerId, attachmentId: integerId }),
    output: z.object({
      id: integerId,
      fileName,
      fileType,
      fileSize: z.int(),
      text: z.string(),
      isWhole: z.boolean(),
    }),
  },
  async ({ caller, db, request }, { id, attachmentId }) => {
    const target = { task: id };
    const [found] = await db.batch([findAttachment(caller, target, attachmentId)]);
    if (!found) throw attachmentNotFoundError(target, attachmentId);
    const object = await request.env.FILES.get(found.object_key, {
      onlyIf: { etagMatches: found.etag },
      range: { offset: 0, length: Math.min(READ_BYTES_MAX, found.file_size) },
    });
    if (!object || !('body' in object)) throw attachmentNotFoundError(target, attachmentId);
    const bytes = await object.bytes();
    const isWhole = found.file_size <= READ_BYTES_MAX;
    const text = decodeText(bytes, isWhole);
    if (
      text === null ||
      !(TEXT_TYPE_PATTERN.test(found.file_type) || found.file_type === 'application/octet-stream')
    ) {
      throw invalidRequestError(
        `Attachment ${attachmentId} isn't a text file (${found.file_type}). People can download it with the link in get_task.`,
      );
    }
    const { file_name, file_type, file_size } = found;
    return { id: attachmentId, fileName: file_name, fileType: file_type, fileSize: file_size, text, isWhole };
  },
);

/** Returns null if the bytes aren't UTF-8 text. Drops an incomplete character at the end of a part. */
function decodeText(bytes: Uint8Array, isWhole: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes, {
      stream: !isWhole,
    });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

export const uploadText = defineOperation(
  {
    name: 'uploadText',
    summary: 'Upload text to a presigned URL',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({ s3Key: z.string().max(200), text: z.string().max(TEXT_CHARACTERS_MAX) }),
    output: successOutput,
  },
  async ({ caller, db, now, request }, { s3Key, text }) => {
    const [upload] = await db.batch([findOwnUpload(caller, s3Key)]);
    if (upload && upload.confirmed === 0 && upload.session === null && upload.expires_at > now) {
      await request.env.FILES.put(s3Key, text, { httpMetadata: { contentType: upload.file_type } });
    }
    return { success: true as const };
  },
);
