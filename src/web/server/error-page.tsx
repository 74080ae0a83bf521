import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { toSafeReturnPath } from '../../accounts/browser-sessions/return-path.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { EnteredValues } from './entered-values.tsx';
import { describeError } from './error-text.ts';
import { Layout } from './layout.tsx';
import { OutdatedFormError } from './page-form.ts';
import { type PageStatus, sendPage } from './page-response.ts';

interface ErrorTextProps {
  title: string;
  message: string;
  wayOut: readonly [address: string, label: string];
  typed?: URLSearchParams | undefined;
}

export function ErrorText({ title, message, wayOut: [address, label], typed }: ErrorTextProps) {
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

interface ErrorPageProps extends Omit<ErrorTextProps, 'wayOut'> {
  browser?: SignedInBrowser | undefined;
  wayOut?: ErrorTextProps['wayOut'] | undefined;
}

export function ErrorPage({ title, message, browser, wayOut, typed }: ErrorPageProps) {
  return (
    <Layout title={title} width="narrow" browser={browser}>
      <ErrorText
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
};

export function sendErrorPage(
  c: HttpContext,
  error: AppError,
  props: Pick<ErrorPageProps, 'browser' | 'wayOut' | 'typed'> = {},
): Promise<Response> {
  copyErrorHeaders(c, error);
  const sent = error instanceof OutdatedFormError ? { typed: error.form, wayOut: findReferringPage(c) } : {};
  const page = <ErrorPage title={getErrorTitle(error)} message={describeError(error)} {...sent} {...props} />;
  return sendPage(c, page, toPageStatus(error));
}

function findReferringPage(c: HttpContext): ErrorTextProps['wayOut'] | undefined {
  const { origin } = c.get('scope');
  const from = URL.parse(c.req.header('Referer') ?? '');
  if (from?.origin !== new URL(origin).origin) return undefined;
  return [toSafeReturnPath(from.pathname + from.search, origin), 'Reopen the page'];
}

export function getErrorTitle(error: AppError): string {
  if (error instanceof OutdatedFormError) return 'This page has expired';
  const { status } = error;
  return errorTitles[status] ?? "That didn't work";
}

/** Omits WWW-Authenticate, which makes browsers ask for a password. */
export function copyErrorHeaders(c: HttpContext, { headers }: AppError) {
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'WWW-Authenticate') c.header(name, value);
  }
}

export function toPageStatus({ status }: AppError): PageStatus {
  return status === 403 || status === 404 || status === 412 || status === 429 || status === 500
    ? status
    : 400;
}

/** For `onError` of page routes. Rethrows unexpected errors, which src/app.ts handles. */
export function handlePageError(error: Error, c: HttpContext): Promise<Response> {
  if (!(error instanceof AppError)) throw error;
  return sendErrorPage(c, error);
}
