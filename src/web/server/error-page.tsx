import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { toSafeReturnPath } from '../../accounts/browser-sessions/return-path.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import { toServiceError } from '../../kernel/errors/unavailable.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { WorkspaceBusyError } from '../../kernel/rate-limit/workspace-budget.ts';
import { EnteredValues } from './entered-values.tsx';
import { toErrorText } from './error-text.ts';
import { Layout } from './layout.tsx';
import { OutdatedFormError } from './page-form.ts';
import { type PageStatus, sendPage } from './page-response.ts';

interface ErrorContentProps {
  title: string;
  message: string;
  wayOut: readonly [address: string, label: string];
  typed?: URLSearchParams | undefined;
}

export function ErrorContent({ title, message, wayOut: [address, label], typed }: ErrorContentProps) {
  return (
    <>
      <h1>{title}</h1>
      <p role="alert">{message}</p>
      <p>
        <a class="button plain" href={address}>
          {label}
        </a>
      </p>
      <EnteredValues form={typed} />
    </>
  );
}

interface ErrorPageProps extends Omit<ErrorContentProps, 'wayOut'> {
  browser?: SignedInBrowser | undefined;
  wayOut?: ErrorContentProps['wayOut'] | undefined;
}

export function ErrorPage({ title, message, browser, wayOut, typed }: ErrorPageProps) {
  return (
    <Layout title={title} width="narrow" browser={browser}>
      <ErrorContent
        title={title}
        message={message}
        wayOut={wayOut ?? (browser ? ['/app', 'Back to your work'] : ['/', 'Go to the home page'])}
        typed={typed}
      />
    </Layout>
  );
}

const errorTitles: Partial<Record<number, string>> = {
  403: "You can't do that",
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

export function sendErrorPage(
  c: HttpContext,
  error: AppError,
  props: Pick<ErrorPageProps, 'browser' | 'wayOut' | 'typed'> = {},
): Promise<Response> {
  copyErrorHeaders(c, error);
  const page = (
    <ErrorPage
      title={getErrorTitle(error)}
      message={toErrorText(error)}
      {...getErrorDetails(c, error)}
      {...props}
    />
  );
  return sendPage(c, page, toPageStatus(error));
}

function getErrorDetails(c: HttpContext, error: AppError): Pick<ErrorPageProps, 'typed' | 'wayOut'> {
  if (error instanceof OutdatedFormError) return { typed: error.form, wayOut: findReferringPage(c) };
  const { pathname, search } = new URL(c.req.url);
  const isTemporary = error.status === 503 || error.status === 429;
  return isTemporary && c.req.method === 'GET' ? { wayOut: [pathname + search, 'Try again'] } : {};
}

/** Handles an unexpected error. Displays the entered values, because the form can't be displayed again. */
export function sendFailedFormPage(
  c: HttpContext,
  error: unknown,
  typed: URLSearchParams,
): Promise<Response> {
  log('error', 'request.failed', { id: c.get('scope').id, cause: describeError(error) });
  return sendErrorPage(c, toServiceError(error), { typed, wayOut: findReferringPage(c) });
}

function findReferringPage(c: HttpContext): ErrorContentProps['wayOut'] | undefined {
  const { origin } = c.get('scope');
  const from = URL.parse(c.req.header('Referer') ?? '');
  if (from?.origin !== new URL(origin).origin) return undefined;
  return [toSafeReturnPath(from.pathname + from.search, origin), 'Reopen the page'];
}

export function getErrorTitle(error: AppError): string {
  if (error instanceof OutdatedFormError) return 'This page has expired';
  if (error instanceof WorkspaceBusyError) return 'This workspace is busy';
  const { status } = error;
  return errorTitles[status] ?? "That didn't work";
}

/** Omits WWW-Authenticate, which makes browsers ask for a password. */
export function copyErrorHeaders(c: HttpContext, { headers }: AppError) {
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'WWW-Authenticate') c.header(name, value);
  }
}

const pageStatuses: readonly PageStatus[] = [403, 404, 412, 429, 500, 503];

export function toPageStatus({ status }: AppError): PageStatus {
  return pageStatuses.find((each) => each === status) ?? 400;
}

/** Used as `onError` of page routes. Rethrows unexpected errors, which src/app.ts handles. */
export function handlePageError(error: Error, c: HttpContext): Promise<Response> {
  if (!(error instanceof AppError)) throw error;
  return sendErrorPage(c, error);
}
