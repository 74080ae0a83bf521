import type { SignedInBrowser } from '../browser-sessions/browser-session.ts';
import { AppError } from '../kernel/errors.ts';
import type { HttpContext } from '../kernel/http/http.ts';
import { answerPage, type PageStatus } from './answer-page.ts';
import { Layout } from './layout.tsx';
import { sayToPerson } from './words.ts';

interface ProblemProps {
  title: string;
  message: string;
  browser?: SignedInBrowser | undefined;
  /** Where to go on; the start page by default. */
  wayOut?: readonly [address: string, label: string];
}

/** Says in a sentence what went wrong, and links to a next step. */
export function Problem({ title, message, browser, wayOut }: ProblemProps) {
  const [address, label] = wayOut ?? (browser ? ['/app', 'Back to your work'] : ['/', 'Back to the start']);
  return (
    <Layout title={title} width="narrow" browser={browser}>
      <h1>{title}</h1>
      <p role="alert">{message}</p>
      <p>
        <a class="button plain" href={address}>
          {label}
        </a>
      </p>
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
export function answerRefusal(
  c: HttpContext,
  error: AppError,
  props: Pick<ProblemProps, 'browser' | 'wayOut'> = {},
): Promise<Response> {
  for (const [name, value] of Object.entries(error.headers)) {
    // That one is for programs: a browser would ask for a password.
    if (name !== 'WWW-Authenticate') c.header(name, value);
  }
  const title = titles[error.status] ?? 'That did not work';
  return answerPage(c, <Problem title={title} message={sayToPerson(error)} {...props} />, pageStatus(error));
}

/** The status of a page that tells of this refusal. */
export function pageStatus({ status }: AppError): PageStatus {
  return status === 403 || status === 404 || status === 412 || status === 429 || status === 500
    ? status
    : 400;
}

/** For `onError` of page routes: other errors stay with app.ts. */
export function answerProblem(error: Error, c: HttpContext): Promise<Response> {
  if (!(error instanceof AppError)) throw error;
  return answerRefusal(c, error);
}
