import { Hono } from 'hono';
import { readBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { confirmEmail } from '../../../accounts/own/change-profile.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { SiteForm } from '../../components/site-form.tsx';
import { ErrorPage } from '../../server/error-page.tsx';
import { Layout } from '../../server/layout.tsx';
import { readPageForm } from '../../server/page-form.ts';
import { sendPage } from '../../server/page-response.ts';
import { takePublicForm } from '../account/run-public.ts';

const PATH = '/confirm-email';
const FORM_BYTES_MAX = 16 * 1024;

/** What the link that is mailed to a new address opens. A button does it, because mail scanners open links too. */
export const confirmEmailPages = new Hono<HttpEnv>();

confirmEmailPages.use(PATH, limitBody(FORM_BYTES_MAX, { what: 'form' }));

confirmEmailPages.get(PATH, async (c) => {
  c.set('route', `GET ${PATH}`);
  return sendPage(
    c,
    <Layout title="Use this address" width="narrow">
      <h1>Use this address?</h1>
      <p>Your Edgework account signs in with it from then on, and with the old one no more.</p>
      <SiteForm action={PATH} browser={await readBrowser(c)} of={{ token: c.req.query('token') ?? '' }}>
        <button type="submit">Use this address</button>
      </SiteForm>
    </Layout>,
  );
});

confirmEmailPages.post(PATH, async (c) => {
  c.set('route', `POST ${PATH}`);
  const browser = await readBrowser(c);
  const form = await readPageForm(c, browser);
  try {
    await takePublicForm(c, confirmEmail, { token: form.get('token') ?? '' }, { browser, form });
  } catch (error) {
    if (error instanceof AppError && (error.status === 404 || error.status === 400))
      return answerLinkEnded(c);
    throw error;
  }
  return sendPage(
    c,
    <Layout title="Your address is changed" width="narrow">
      <h1>Your address is changed</h1>
      <p>Sign in with it from now on. The old address is told.</p>
      <p>
        <a class="button" href="/account">
          Open your account
        </a>
      </p>
    </Layout>,
  );
});

function answerLinkEnded(c: HttpContext): Promise<Response> {
  const message =
    'A link to a new address holds for an hour, and once; and somebody else may have taken the address. Ask for a new one in your account.';
  return sendPage(
    c,
    <ErrorPage
      title="This link no longer works"
      message={message}
      wayOut={['/account', 'Open your account']}
    />,
    404,
  );
}
