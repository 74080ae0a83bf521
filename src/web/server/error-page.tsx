import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { toSafeReturnPath } from '../../accounts/browser-sessions/return-path.ts';
import { toServiceError } from '../../kernel/errors/database-unavailable.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { WorkspaceBusyError } from '../../kernel/rate-limit/workspace-budget.ts';
import { EnteredValues } from './entered-values.tsx';
import { toErrorText } from './error-text.ts';
import { SiteLayout } from './layout.tsx';
import { ExpiredFormError } from './page-form.ts';
import { type PageStatus, sendPage } from './page-response.ts';

interface ErrorContentProps {
  title: string;
  message: string;
  recoveryLink: readonly [address: string, label: string];
  typed?: URLSearchParams | undefined;
}

export function ErrorContent({ title, message, recoveryLink: [address, label], typed }: ErrorContentProps) {
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

interface ErrorPageProps extends Omit<ErrorContentProps, 'recoveryLink'> {
  browser?: SignedInBrowser | undefined;
  recoveryLink?: ErrorContentProps['recoveryLink'] | undefined;
}

export function ErrorPage({ title, message, browser, recoveryLink, typed }: ErrorPageProps) {
  return (
    <SiteLayout title={title} width="narrow" browser={browser}>
      <ErrorContent
        title={title}
        message={message}
        recoveryLink={recoveryLink ?? (browser ? ['/app', 'Back to My work'] : ['/', 'Go to the home page'])}
        typed={typed}
      />
    </SiteLayout>
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
  props: Pick<ErrorPageProps, 'browser' | 'recoveryLink' | 'typed'> = {},
): Promise<Response> {
  copyErrorHeaders(c, error);
  const page = (
    <ErrorPage
      title={getErrorTitle(error)}
      message={getErrorMessage(error)}
      {...getErrorPageProps(c, error)}
      {...props}
    />
  );
  return sendPage(c, page, toPageStatus(error));
}

function getErrorPageProps(c: HttpContext, error: AppError): Pick<ErrorPageProps, 'typed' | 'recoveryLink'> {
  if (error instanceof ExpiredFormError) return { typed: error.form, recoveryLink: findReferringPage(c) };
  const { pathname, search } = new URL(c.req.url);
  const isTemporary = error.status === 503 || error.status === 429;
  return isTemporary && c.req.method === 'GET' ? { recoveryLink: [pathname + search, 'Try again'] } : {};
}

/** Handles an unexpected error. Displays the entered values, because the form can't be displayed again. */
export function sendFailedFormPage(
  c: HttpContext,
  error: unknown,
  typed: URLSearchParams,
): Promise<Response> {
  log('error', 'request.failed', { id: c.get('scope').id, cause: describeError(error) });
  return sendErrorPage(c, toServiceError(error), { typed, recoveryLink: findReferringPage(c) });
}

function findReferringPage(c: HttpContext): ErrorContentProps['recoveryLink'] | undefined {
  const { origin } = c.get('scope');
  const from = URL.parse(c.req.header('Referer') ?? '');
  if (from?.origin !== new URL(origin).origin) return undefined;
  return [toSafeReturnPath(from.pathname + from.search, origin), 'Reopen the page'];
}

export function getErrorMessage(error: AppError): string {
  return error.code === 'not_found'
    ? "This page doesn't exist, or you don't have access to it."
    : toErrorText(error);
}

export function getErrorTitle(error: AppError): string {
  if (error instanceof ExpiredFormError) return 'This page has expired';
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

export function handlePageError(error: Error, c: HttpContext): Promise<Response> {
  if (!(error instanceof AppError)) throw error;
  return sendErrorPage(c, error);
}
