import { type Browser, isCsrfToken } from '../../accounts/browser-sessions/browser-session.ts';
import { AppError, forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { describeUnstorableText } from '../../kernel/text/storable-text.ts';
import { toOneLineFields } from '../page-model/one-line.ts';

const QUOTED_NAME_CHARACTERS_MAX = 60;
/** No form has more fields. This limits the cost of looking up fields, which grows with their number. */
const FIELDS_MAX = 1_000;

/** The form comes from our own page, but its CSRF token has expired. The form is displayed again, filled in. */
export class ExpiredFormError extends AppError {
  readonly form: URLSearchParams;

  constructor(form = new URLSearchParams(), hint = 'Check your changes and save again.') {
    super('forbidden', `This page has expired. ${hint}`);
    this.form = form;
  }
}

/** Throws 403 unless a page in this browser submitted the form. Fields named in `multiline` keep their line breaks. */
export async function readPageForm(
  c: HttpContext,
  browser: Browser,
  multiline: readonly string[] = [],
): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('Content-Type') ?? '')) {
    throw unexpectedFormError();
  }
  requireSameOriginRequest(c);
  const form = toOneLineFields(await readUrlEncodedForm(c), multiline);
  if (isCsrfToken(browser, form.get('csrf') ?? '')) return requireFormKey(form);
  throw isSentBySameOriginPage(c) ? new ExpiredFormError(form) : unverifiedFormError();
}

/** Like `readPageForm`, but also returns an expired form, which may be displayed again but must not be processed. */
export async function readFormEvenIfExpired(
  c: HttpContext,
  browser: Browser,
  multiline?: readonly string[],
): Promise<{ typed: URLSearchParams; expired: ExpiredFormError | null }> {
  try {
    return { typed: await readPageForm(c, browser, multiline), expired: null };
  } catch (error) {
    if (!(error instanceof ExpiredFormError)) throw error;
    return { typed: error.form, expired: error };
  }
}

/** A request with neither `Origin` nor `Sec-Fetch-Site` could come from anywhere. */
function isSentBySameOriginPage(c: HttpContext): boolean {
  return c.req.header('Origin') !== undefined || c.req.header('Sec-Fetch-Site') === 'same-origin';
}

function requireFormKey(form: URLSearchParams): URLSearchParams {
  if (!form.get('once')) throw unverifiedFormError();
  return form;
}

export async function readMultipartForm(
  c: HttpContext,
  browser: Browser,
): Promise<{ form: FormData; fields: URLSearchParams }> {
  if (!/^multipart\/form-data\b/i.test(c.req.header('Content-Type') ?? '')) throw unexpectedFormError();
  requireSameOriginRequest(c);
  const form = await c.req.formData().catch(() => {
    throw unexpectedFormError();
  });
  if (!isCsrfToken(browser, getTextField(form, 'csrf'))) {
    const textFields = [...form].filter((each): each is [string, string] => typeof each[1] === 'string');
    throw isSentBySameOriginPage(c)
      ? new ExpiredFormError(new URLSearchParams(textFields), 'Choose the file again.')
      : unverifiedFormError();
  }
  return { form, fields: requireFormKey(new URLSearchParams({ once: getTextField(form, 'once') })) };
}

export async function readFileForm(
  c: HttpContext,
  browser: Browser,
  field: string,
): Promise<{ bytes: Uint8Array; fields: URLSearchParams }> {
  const { form, fields } = await readMultipartForm(c, browser);
  const file = form.get(field);
  return {
    bytes: file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array(),
    fields,
  };
}

function getTextField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function unexpectedFormError(): AppError {
  return invalidRequestError(
    "This form wasn't sent from one of our pages. Open the page that contains it and try again.",
  );
}

/** Throws 400 for too many fields, or text that can't be stored. Avoids `text()`, which would log a warning. */
export async function readUrlEncodedForm(c: HttpContext): Promise<URLSearchParams> {
  const text = new TextDecoder().decode(await c.req.arrayBuffer());
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) {
    throw invalidRequestError(`A form can have at most ${FIELDS_MAX} fields.`);
  }
  const form = new URLSearchParams(text);
  for (const [name, value] of form) {
    const problem = describeUnstorableText(value);
    if (problem) throw invalidRequestError(`${name.slice(0, QUOTED_NAME_CHARACTERS_MAX)} ${problem}`);
  }
  return form;
}

/** Browsers send the origin of the form's page, which must be ours. Other programs send no `Origin`. */
export function requireSameOriginRequest(c: HttpContext) {
  const origin = c.req.header('Origin');
  const site = c.req.header('Sec-Fetch-Site') ?? 'same-origin';
  if (site !== 'same-origin' && site !== 'none') throw unverifiedFormError();
  if (origin === undefined) return;
  if (origin !== c.get('scope').origin && origin !== new URL(c.req.url).origin) throw unverifiedFormError();
}

function unverifiedFormError(): AppError {
  return forbiddenError('This form has expired. Go back, reload the page and try again.');
}
