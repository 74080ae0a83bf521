import { AppError } from '../kernel/errors.ts';
import type { HttpContext } from '../kernel/http.ts';
import { say } from '../kernel/wording.ts';
import { restWords } from '../registry.ts';
import { answerPage, Layout } from './layout.tsx';

/** Says in a sentence what went wrong, and links to a next step. */
export function Problem({ title, message }: { title: string; message: string }) {
  return (
    <Layout title={title} width="narrow">
      <h1>{title}</h1>
      <p role="alert">{message}</p>
      <p>
        <a href="/">Back to the start</a>
      </p>
    </Layout>
  );
}

/** For `onError` of page routes: turns a refusal into a page and leaves other errors to app.ts. */
export function answerProblem(error: Error, c: HttpContext): Promise<Response> {
  if (!(error instanceof AppError)) throw error;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  const status = error.status === 403 || error.status === 404 || error.status === 429 ? error.status : 400;
  return answerPage(c, <Problem title="That did not work" message={say(error.wording, restWords)} />, status);
}
