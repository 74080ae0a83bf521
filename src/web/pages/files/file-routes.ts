import { Hono } from 'hono';
import { isCsrfToken } from '../../../accounts/browser-sessions/browser-session.ts';
import { uploadChunk } from '../../../files/uploads/chunk.ts';
import { abortUpload, completeUpload, getUploadStatus, initUpload } from '../../../files/uploads/uploads.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';
import type { AnyPage } from '../../page-model/page.ts';
import { readFormInput } from '../../server/form-input.ts';
import { refuseInWorkspace } from '../../server/framed-problem.tsx';
import { OutdatedForm, readUrlEncoded, requireOwnOrigin } from '../../server/page-form.ts';
import { sayToPerson } from '../../server/words.ts';
import { runInBrowser, type Uploader, uploaderOf } from './run-in-browser.ts';
import { FORM_BYTES_MAX, takeFile } from './small-file.ts';

/*
 * Files come as bytes, which forms of the registry cannot carry. Scripts send chunks to the operations of /v1, each with
 * the CSRF token in a header; without a script a small file comes in a form. Both as the signed-in person.
 */

/** Where scripts put what forms carry in a field. */
const CSRF_HEADER = 'X-CSRF-Token';
const FIELDS_BYTES_MAX = 16 * 1024;

const uploads = '/app/:workspace/uploads';
const session = `${uploads}/:sessionId`;
const part = `${session}/parts/:partNumber`;

/** Serves what comes as bytes; before the pages, because everything else below /app is a page. */
export function serveFiles(pages: readonly AnyPage[]): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post(uploads, limitBody(FIELDS_BYTES_MAX, { what: 'form' }), async (c) => {
    const uploader = await script(c, 'POST', uploads);
    const fields = await readUrlEncoded(c);
    return answer(c, uploader, initUpload, readFormInput(fields, initUpload.input));
  });
  app.get(session, async (c) => {
    const uploader = await uploaderOf(c, 'GET', session);
    return answer(c, uploader, getUploadStatus, { sessionId: c.req.param('sessionId') });
  });
  app.put(part, async (c) => {
    const uploader = await script(c, 'PUT', part);
    const { sessionId, partNumber } = c.req.param();
    return answer(c, uploader, uploadChunk, { sessionId, partNumber }, c.req.raw);
  });
  for (const [verb, operation] of Object.entries({ complete: completeUpload, abort: abortUpload })) {
    const path = `${session}/${verb}`;
    app.post(path, async (c) => {
      const uploader = await script(c, 'POST', path);
      return answer(c, uploader, operation, { sessionId: c.req.param('sessionId') ?? '' });
    });
  }
  for (const target of ['tasks', 'projects'] as const) {
    const path = `/app/:workspace/${target}/:id/files`;
    app.post(path, limitBody(FORM_BYTES_MAX, { what: 'form' }), async (c) =>
      takeFile(c, await uploaderOf(c, 'POST', path), { target, pages }),
    );
  }
  app.onError((error, c) => {
    if (!(error instanceof AppError)) throw error;
    const context = c as HttpContext;
    if (!c.req.path.includes('/uploads')) return refuseInWorkspace(context, error);
    if (error.status === 429) c.header('Retry-After', error.headers['Retry-After']);
    const isOutdated = error instanceof OutdatedForm;
    return c.json({ message: sayToPerson(error), isOutdated }, error.status as 400);
  });
  return app;
}

/** A script of our own pages. */
async function script(c: HttpContext, method: string, path: string): Promise<Uploader> {
  const uploader = await uploaderOf(c, method, path);
  requireOwnOrigin(c);
  if (!isCsrfToken(uploader.browser, c.req.header(CSRF_HEADER) ?? '')) throw new OutdatedForm();
  return uploader;
}

async function answer(
  c: HttpContext,
  uploader: Uploader,
  operation: AnyOperation,
  input: Record<string, unknown>,
  incoming?: Request,
): Promise<Response> {
  const { output } = await runInBrowser(c, uploader, operation, input, incoming && { incoming });
  c.header('Cache-Control', 'no-store');
  return c.json(output as object);
}
