import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import type { Target } from './attachments.queries.ts';

export function attachmentNotFound(target: Target, id: number): AppError {
  return notFoundError('attachment', id, ({ call }) =>
    'task' in target
      ? call('listTaskAttachments', { id: target.task })
      : call('listProjectAttachments', { id: target.project }),
  );
}

export function uploadEnded(): AppError {
  return invalidRequestError(
    'This request was already completed, and its upload has ended. Send it again with a new Idempotency-Key.',
  );
}

const SHOWN_INLINE = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'application/pdf'];
// Types that a browser might run or render as a document of this origin.
const ACTIVE = /html|xml|svg|script|multipart|message|flash/i;

export function servingHeaders(fileName: string, fileType: string) {
  const isInline = SHOWN_INLINE.includes(fileType.toLowerCase());
  return {
    contentType: ACTIVE.test(fileType) ? 'application/octet-stream' : fileType,
    contentDisposition: `${isInline ? 'inline' : 'attachment'}; ${fileNameParameters(fileName)}`,
  };
}

/** RFC 6266: an ASCII name for old clients and the real name in RFC 8187 encoding. */
function fileNameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7E]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
