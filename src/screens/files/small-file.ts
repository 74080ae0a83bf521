import type * as z from 'zod';
import { AppError, invalidRequest } from '../../kernel/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { uploadChunk } from '../../uploads/chunk.ts';
import { abortUpload, completeUpload, initUpload } from '../../uploads/uploads.ts';
import { safeBack } from '../../web/addresses.ts';
import { readMultipart } from '../../web/page-form.ts';
import type { AnyPage } from '../../web/page-model/page.ts';
import { pageStatus } from '../../web/problem.tsx';
import { showPage } from '../../web/show-page.ts';
import { sayToPerson } from '../../web/words.ts';
import { runInBrowser, type Uploader } from './run-in-browser.ts';
import { SMALL_FILE_BYTES_MAX } from './small-file-size.ts';

/** The file and the fields around it. */
export const FORM_BYTES_MAX = SMALL_FILE_BYTES_MAX + 16 * 1024;

/** Takes a file that a browser without scripts sends: small enough to be held, and to be the only chunk of an upload. */
export async function takeFile(
  c: HttpContext,
  uploader: Uploader,
  { target, pages }: { target: 'tasks' | 'projects'; pages: readonly AnyPage[] },
): Promise<Response> {
  const form = await readMultipart(c, uploader.browser);
  const said = form.get('back');
  const back = safeBack(
    typeof said === 'string' ? said : null,
    `/app/${uploader.workspaceId}`,
    c.get('scope').origin,
  );
  try {
    const file = form.get('file');
    if (typeof file === 'string' || file === null || file.size === 0)
      throw invalidRequest('Choose a file that is not empty.');
    if (file.size > SMALL_FILE_BYTES_MAX)
      throw invalidRequest(
        `Without a script a file has at most ${SMALL_FILE_BYTES_MAX} bytes; this one has ${file.size}.`,
      );
    const id = Number(c.req.param('id'));
    await store(c, uploader, file, target === 'tasks' ? { taskId: id } : { projectId: id });
    return c.redirect(back, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refused = { action: c.req.path, values: new URLSearchParams(), fields: {} };
    return showPage(c, pages, {
      address: back,
      refused: { ...refused, message: sayToPerson(error) },
      status: pageStatus(error),
    });
  }
}

async function store(
  c: HttpContext,
  uploader: Uploader,
  file: File,
  target: { taskId: number } | { projectId: number },
) {
  const { sessionId } = (await runInBrowser(c, uploader, initUpload, {
    ...target,
    fileName: file.name,
    fileType: file.type.split(';')[0] || 'application/octet-stream',
    fileSize: file.size,
  })) as z.output<typeof initUpload.output>;
  try {
    const chunk = new Request(c.req.url, {
      method: 'PUT',
      body: file,
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(file.size) },
    });
    await runInBrowser(c, uploader, uploadChunk, { sessionId, partNumber: '1' }, chunk);
    await runInBrowser(c, uploader, completeUpload, { sessionId });
  } catch (error) {
    // Nobody knows the session, so nobody could go on with it.
    await runInBrowser(c, uploader, abortUpload, { sessionId });
    throw error;
  }
}
