import { Hono } from 'hono';
import { AppError } from '../../kernel/errors/errors.ts';
import { limitBody } from '../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../kernel/http/http.ts';
import type { AnyCsvFile } from '../page-model/csv-file.ts';
import type { AnyForm, AnyPage } from '../page-model/page.ts';
import { handleForm } from './handle-form.tsx';
import { sendCsv } from './send-csv.ts';
import { pageNotFoundError, showPage } from './show-page.ts';
import { handleWorkspaceError } from './workspace-error.tsx';

const FORM_BYTES_MAX = 640 * 1024;

export function createPageRoutes(
  pages: readonly AnyPage[],
  forms: readonly AnyForm[],
  files: readonly AnyCsvFile[],
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  for (const form of forms) {
    const path = `/app/:workspace${form.path}`;
    app.use(path, limitBody(FORM_BYTES_MAX, { what: 'form' }));
    app.post(path, (c) => {
      c.set('route', `POST ${path}`);
      return handleForm(c, form, pages);
    });
  }
  for (const file of files) {
    const path = `/app/:workspace${file.path}`;
    app.get(path, (c) => {
      c.set('route', `GET ${path}`);
      return sendCsv(c, file);
    });
  }
  app.get('/app/:workspace', (c) => showPage(c, pages));
  app.get('/app/:workspace/*', (c) => showPage(c, pages));
  app.all('/app/*', (c) => handleWorkspaceError(c, pageNotFoundError()));
  app.onError((error, c) => {
    if (!(error instanceof AppError)) throw error;
    return handleWorkspaceError(c as HttpContext, error);
  });
  return app;
}
