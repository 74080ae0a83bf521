import { Hono } from 'hono';
import { readBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { confirmEmail } from '../../../accounts/own/change-profile.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { SiteForm } from '../../components/site-form.tsx';
import { ErrorPage } from '../../server/error-page.tsx';
import { SiteLayout } from '../../server/layout.tsx';
import { readPageForm } from '../../server/page-form.ts';
import { sendPage } from '../../server/page-response.ts';
import { runPublicOperation } from '../account/public-operations.ts';

const CONFIRM_EMAIL_PATH = '/confirm-email';
const FORM_BYTES_MAX = 16 * 1024;

/** Mail scanners open links, so only the button confirms the address. */
export const confirmEmailPages = new Hono<HttpEnv>();

confirmEmailPages.use(CONFIRM_EMAIL_PATH, limitBody(FORM_BYTES_MAX, { what: 'form' }));

confirmEmailPages.get(CONFIRM_EMAIL_PATH, async (c) => {
  c.set('route', `GET ${CONFIRM_EMAIL_PATH}`);
  return sendPage(
    c,
    <SiteLayout title="Confirm your new email address" width="narrow">
      <h1>Confirm your new email address</h1>
      <p>After you confirm, you'll sign in to Edgework with your new address instead of the old one.</p>
      <SiteForm
        action={CONFIRM_EMAIL_PATH}
        browser={await readBrowser(c)}
        of={{ token: c.req.query('token') ?? '' }}
      >
        <button type="submit">Confirm address</button>
      </SiteForm>
    </SiteLayout>,
  );
});

confirmEmailPages.post(CONFIRM_EMAIL_PATH, async (c) => {
  c.set('route', `POST ${CONFIRM_EMAIL_PATH}`);
  const browser = await readBrowser(c);
  const form = await readPageForm(c, browser);
  try {
    await runPublicOperation(c, confirmEmail, { token: form.get('token') ?? '' }, { browser, form });
  } catch (error) {
    if (error instanceof AppError && (error.status === 404 || error.status === 400))
      return sendLinkExpiredPage(c);
    throw error;
  }
  return sendPage(
    c,
    <SiteLayout title="Email address changed" width="narrow">
      <h1>Email address changed</h1>
      <p>Sign in with your new address from now on. We also sent a notice to your old address.</p>
      <p>
        <a class="button" href="/account">
          Go to your account
        </a>
      </p>
    </SiteLayout>,
  );
});

function sendLinkExpiredPage(c: HttpContext): Promise<Response> {
  const message =
    'Links expire after 1 hour and work once. The address may also have been taken by another account. Request a new link in your account.';
  return sendPage(
    c,
    <ErrorPage
      title="This link no longer works"
      message={message}
      recoveryLink={['/account', 'Go to your account']}
    />,
    404,
  );
}
