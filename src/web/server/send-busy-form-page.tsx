import type { AppError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { EnteredValues, isSecretField } from './entered-values.tsx';
import { copyErrorHeaders, getErrorTitle, sendErrorPage } from './error-page.tsx';
import { toErrorText } from './error-text.ts';
import { SiteLayout } from './layout.tsx';
import { sendPage } from './page-response.ts';

/** Sends a 429 page with a button that resubmits the form. Scripts show only the message and keep the form. */
export function sendBusyFormPage(c: HttpContext, error: AppError, typed: URLSearchParams): Promise<Response> {
  const resubmittedFields = [...typed].filter(([name]) => name === 'csrf' || !isSecretField(name));
  // Passwords are never written into pages, so a form that contains one can't be resubmitted from the 429 page.
  if (resubmittedFields.length < [...typed].length) return sendErrorPage(c, error, { typed });
  copyErrorHeaders(c, error);
  const title = getErrorTitle(error);
  return sendPage(
    c,
    <SiteLayout title={title} width="narrow">
      <h1>{title}</h1>
      <p role="alert">{toErrorText(error)} Nothing has been saved yet.</p>
      <form method="post" action={c.req.path} class="actions">
        {resubmittedFields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button type="submit">Try again</button>
      </form>
      <EnteredValues form={typed} />
    </SiteLayout>,
    429,
  );
}
