import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { safeReturnPath } from '../../accounts/browser-sessions/return-path.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { EnteredValues } from './entered-values.tsx';
import { describeError } from './error-text.ts';
import { Layout } from './layout.tsx';
import { OutdatedForm } from './page-form.ts';
import { type PageStatus, sendPage } from './page-response.ts';

interface ErrorTextProps {
  title: string;
  message: string;
  /** Where to go on. */
  wayOut: readonly [address: string, label: string];
  /** The form that was sent, if there was one. */
  typed?: URLSearchParams | undefined;
}

/** Says in a sentence what went wrong, and links to a next step. */
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
  /** The start page by default. */
  wayOut?: ErrorTextProps['wayOut'] | undefined;
}

/** The page of a problem outside of workspaces. */
export function ErrorPage({ title, message, browser, wayOut, typed }: ErrorPageProps) {
  return (
    <Layout title={title} width="narrow" browser={browser}>
      <ErrorText
        title={title}
        message={message}
        wayOut={wayOut ?? (browser ? ['/app', 'Back to your work'] : ['/', 'Back to the start'])}
        typed={typed}
      />
    </Layout>
  );
}

const titles: Partial<Record<number, string>> = {
  403: 'That is not possible',
  404: 'Nothing is here',
  429: 'One moment, please',
  500: 'Something failed on our side',
};

/** Turns a refusal into a page. */
export function sendErrorPage(
  c: HttpContext,
  error: AppError,
  props: Pick<ErrorPageProps, 'browser' | 'wayOut' | 'typed'> = {},
): Promise<Response> {
  takeHeaders(c, error);
  const sent = error instanceof OutdatedForm ? { typed: error.form, wayOut: pageOf(c) } : {};
  const page = <ErrorPage title={titleOf(error)} message={describeError(error)} {...sent} {...props} />;
  return sendPage(c, page, pageStatus(error));
}

/** The page that held the form, which a browser names to its own site. */
function pageOf(c: HttpContext): ErrorTextProps['wayOut'] | undefined {
  const { origin } = c.get('scope');
  const from = URL.parse(c.req.header('Referer') ?? '');
  if (from?.origin !== new URL(origin).origin) return undefined;
  return [safeReturnPath(from.pathname + from.search, origin), 'Open the page again'];
}

/** What a page says above a refusal. */
export function titleOf(error: AppError): string {
  if (error instanceof OutdatedForm) return 'This page had expired';
  const { status } = error;
  return titles[status] ?? 'That did not work';
}

/** The headers of a refusal, but the one for programs: with it a browser would ask for a password. */
export function takeHeaders(c: HttpContext, { headers }: AppError) {
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'WWW-Authenticate') c.header(name, value);
  }
}

/** The status of a page that tells of this refusal. */
export function pageStatus({ status }: AppError): PageStatus {
  return status === 403 || status === 404 || status === 412 || status === 429 || status === 500
    ? status
    : 400;
}

/** For `onError` of page routes: other errors stay with app.ts. */
export function handlePageError(error: Error, c: HttpContext): Promise<Response> {
  if (!(error instanceof AppError)) throw error;
  return sendErrorPage(c, error);
}
