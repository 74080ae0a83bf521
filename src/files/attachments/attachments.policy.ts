import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { imageTypes } from '../../kernel/rich-text/attachment-images.ts';
import type { AttachmentTarget } from './attachments.queries.ts';

export function attachmentNotFoundError(target: AttachmentTarget, id: number): AppError {
  return notFoundError('attachment', id, ({ call }) =>
    'task' in target
      ? call('listTaskAttachments', { id: target.task })
      : call('listProjectAttachments', { id: target.project }),
  );
}

export function uploadEndedError(): AppError {
  return invalidRequestError(
    'The upload that this request started has ended. To start another, send the request with a new Idempotency-Key.',
  );
}

const INLINE_TYPES = [...imageTypes, 'application/pdf'];
// Matches types that a browser might run or render as a document of this origin.
const ACTIVE_TYPE_PATTERN = /html|xml|svg|script|multipart|message|flash/i;

export function buildFileHeaders(fileName: string, fileType: string) {
  const isInline = INLINE_TYPES.includes(fileType.toLowerCase());
  return {
    contentType: ACTIVE_TYPE_PATTERN.test(fileType) ? 'application/octet-stream' : fileType,
    contentDisposition: `${isInline ? 'inline' : 'attachment'}; ${buildFileNameParameters(fileName)}`,
  };
}

/** Builds an ASCII name for old clients, and the real name in RFC 8187 encoding (RFC 6266). */
function buildFileNameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7E]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
