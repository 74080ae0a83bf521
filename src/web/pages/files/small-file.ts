import type * as z from 'zod';
import type { VisitingMember } from '../../../accounts/browser-sessions/visitor.ts';
import { uploadChunk } from '../../../files/uploads/upload-chunk.ts';
import { abortUpload, completeUpload, getUploadStatus, initUpload } from '../../../files/uploads/uploads.ts';
import { AppError, invalidRequestError } from '../../../kernel/errors/errors.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { AnyPage } from '../../page-model/page.ts';
import { toPageStatus } from '../../server/error-page.tsx';
import { toErrorText } from '../../server/error-text.ts';
import { deriveFormKey } from '../../server/form-keys.ts';
import { toSafeReturnUrl } from '../../server/match-page.ts';
import { ExpiredFormError, readMultipartForm } from '../../server/page-form.ts';
import { showPageAsVisitor } from '../../server/show-page.ts';
import { formatBytes } from './format-bytes.ts';
import { SMALL_FILE_BYTES_MAX } from './small-file-size.ts';
import { executeForUploader } from './uploader.ts';

export const FORM_BYTES_MAX = SMALL_FILE_BYTES_MAX + 16 * 1024;

export async function receiveSmallFile(
  c: HttpContext,
  uploader: VisitingMember,
  { target, pages }: { target: 'tasks' | 'projects'; pages: readonly AnyPage[] },
): Promise<Response> {
  const base = `/app/${uploader.workspaceId}`;
  let back = base;
  const toReturnUrl = (address: unknown) =>
    toSafeReturnUrl(typeof address === 'string' ? address : null, base, c.get('scope').origin);
  try {
    const { form, fields } = await readMultipartForm(c, uploader.browser);
    back = toReturnUrl(form.get('back'));
    const file = form.get('file');
    if (typeof file === 'string' || file === null || file.size === 0)
      throw invalidRequestError("Choose a file that isn't empty.");
    if (file.size > SMALL_FILE_BYTES_MAX)
      throw invalidRequestError(
        `Without JavaScript, files can be up to ${formatBytes(SMALL_FILE_BYTES_MAX)}. This file is ${formatBytes(file.size)}.`,
      );
    const id = Number(c.req.param('id'));
    await storeFile(c, uploader, { file, fields }, target === 'tasks' ? { taskId: id } : { projectId: id });
    return c.redirect(back, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error instanceof ExpiredFormError) back = toReturnUrl(error.form.get('back'));
    const rejected = { action: c.req.path, values: new URLSearchParams(), fields: {} };
    return showPageAsVisitor(c, uploader, pages, {
      address: back,
      rejected: { ...rejected, message: toErrorText(error) },
      status: toPageStatus(error),
    });
  }
}

async function storeFile(
  c: HttpContext,
  uploader: VisitingMember,
  { file, fields }: { file: File; fields: URLSearchParams },
  target: { taskId: number } | { projectId: number },
) {
  const upload = {
    ...target,
    fileName: file.name,
    fileType: file.type.split(';')[0] || 'application/octet-stream',
    fileSize: file.size,
  };
  const bytes = await file.arrayBuffer();
  const checksum = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  const { output, isReplayed } = await executeForUploader(c, uploader, initUpload, upload, {
    idempotencyKey: deriveFormKey(c, fields, { ...upload, checksum }),
  });
  const { sessionId } = output as z.output<typeof initUpload.output>;
  if (isReplayed) return assertUploadCompleted(c, uploader, sessionId);
  try {
    const incoming = new Request(c.req.url, {
      method: 'PUT',
      body: bytes,
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(file.size) },
    });
    await executeForUploader(c, uploader, uploadChunk, { sessionId, partNumber: '1' }, { incoming });
    await executeForUploader(c, uploader, completeUpload, { sessionId });
  } catch (error) {
    await executeForUploader(c, uploader, abortUpload, { sessionId });
    throw error;
  }
}

async function assertUploadCompleted(c: HttpContext, uploader: VisitingMember, sessionId: string) {
  const { output } = await executeForUploader(c, uploader, getUploadStatus, { sessionId });
  const { status } = output as z.output<typeof getUploadStatus.output>;
  if (status === 'completed') return;
  throw invalidRequestError(
    status === 'open'
      ? 'This file is already being uploaded. Reload the page to see it.'
      : 'The upload failed. Choose the file again.',
  );
}
