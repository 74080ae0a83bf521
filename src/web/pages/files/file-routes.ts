import { Hono } from 'hono';
import { isCsrfToken } from '../../../accounts/browser-sessions/browser-session.ts';
import type { VisitingMember } from '../../../accounts/browser-sessions/visitor.ts';
import { uploadChunk } from '../../../files/uploads/upload-chunk.ts';
import { abortUpload, completeUpload, getUploadStatus, initUpload } from '../../../files/uploads/uploads.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';
import type { AnyPage } from '../../page-model/page.ts';
import { toErrorText } from '../../server/error-text.ts';
import { parseFormInput } from '../../server/form-input.ts';
import { ExpiredFormError, readUrlEncodedForm, requireSameOriginRequest } from '../../server/page-form.ts';
import { handleWorkspaceError } from '../../server/workspace-error.tsx';
import { FORM_BYTES_MAX, receiveSmallFile } from './small-file.ts';
import { executeForUploader, runAsUploader } from './uploader.ts';

/** Scripts upload files in chunks and send the CSRF token in a header. `defineForm` doesn't support files. */

const CSRF_HEADER = 'X-CSRF-Token';
const UPLOAD_FORM_BYTES_MAX = 16 * 1024;

const UPLOADS_PATH = '/app/:workspace/uploads';
const UPLOAD_SESSION_PATH = `${UPLOADS_PATH}/:sessionId`;
const UPLOAD_PART_PATH = `${UPLOAD_SESSION_PATH}/parts/:partNumber`;

/** Must be mounted before the pages, which match every other path below /app. */
export function createFileRoutes(pages: readonly AnyPage[]): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post(UPLOADS_PATH, limitBody(UPLOAD_FORM_BYTES_MAX, { what: 'form' }), (c) =>
    runAsScriptUploader(c, 'POST', UPLOADS_PATH, async (uploader) => {
      const fields = await readUrlEncodedForm(c);
      return sendOperationResult(c, uploader, initUpload, parseFormInput(fields, initUpload.input));
    }),
  );
  app.get(UPLOAD_SESSION_PATH, (c) =>
    runAsUploader(c, 'GET', UPLOAD_SESSION_PATH, (uploader) =>
      sendOperationResult(c, uploader, getUploadStatus, { sessionId: c.req.param('sessionId') }),
    ),
  );
  app.put(UPLOAD_PART_PATH, (c) =>
    runAsScriptUploader(c, 'PUT', UPLOAD_PART_PATH, (uploader) => {
      const { sessionId, partNumber } = c.req.param();
      return sendOperationResult(c, uploader, uploadChunk, { sessionId, partNumber }, c.req.raw);
    }),
  );
  for (const [verb, operation] of Object.entries({ complete: completeUpload, abort: abortUpload })) {
    const path = `${UPLOAD_SESSION_PATH}/${verb}`;
    app.post(path, (c) =>
      runAsScriptUploader(c, 'POST', path, (uploader) =>
        sendOperationResult(c, uploader, operation, { sessionId: c.req.param('sessionId') ?? '' }),
      ),
    );
  }
  for (const target of ['tasks', 'projects'] as const) {
    const path = `/app/:workspace/${target}/:id/files`;
    app.post(path, limitBody(FORM_BYTES_MAX, { what: 'form' }), (c) =>
      runAsUploader(c, 'POST', path, (uploader) => receiveSmallFile(c, uploader, { target, pages })),
    );
  }
  app.onError((error, c) => {
    if (!(error instanceof AppError)) throw error;
    const context = c as HttpContext;
    if (!c.req.path.includes('/uploads')) return handleWorkspaceError(context, error);
    if (error.status === 429) c.header('Retry-After', error.headers['Retry-After']);
    const isExpired = error instanceof ExpiredFormError;
    return c.json({ message: toErrorText(error), isExpired }, error.status as 400);
  });
  return app;
}

function runAsScriptUploader(
  c: HttpContext,
  method: string,
  path: string,
  work: (uploader: VisitingMember) => Promise<Response>,
): Promise<Response> {
  return runAsUploader(c, method, path, async (uploader) => {
    requireSameOriginRequest(c);
    if (!isCsrfToken(uploader.browser, c.req.header(CSRF_HEADER) ?? '')) throw new ExpiredFormError();
    return work(uploader);
  });
}

async function sendOperationResult(
  c: HttpContext,
  uploader: VisitingMember,
  operation: AnyOperation,
  input: Record<string, unknown>,
  incoming?: Request,
): Promise<Response> {
  const { output } = await executeForUploader(c, uploader, operation, input, incoming && { incoming });
  c.header('Cache-Control', 'no-store');
  return c.json(output as object);
}
