import { Hono } from 'hono';
import { readBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { passwordResetInput } from '../../../accounts/own/own-account.schema.ts';
import {
  checkPasswordReset,
  requestPasswordReset,
  resetPassword,
} from '../../../accounts/own/password-reset.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { Alert, Field } from '../../components/field.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { RevokeAccessField } from '../../components/revoke-access-field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import { ErrorPage, toPageStatus } from '../../server/error-page.tsx';
import { toErrorText } from '../../server/error-text.ts';
import { findInputProblems } from '../../server/form-input.ts';
import { SiteLayout } from '../../server/layout.tsx';
import { readPageForm } from '../../server/page-form.ts';
import { type PageStatus, sendPage } from '../../server/page-response.ts';
import { runPublicOperation, runPublicRead } from './public-operations.ts';

export const passwordResetPages = new Hono<HttpEnv>();

passwordResetPages.get('/forgot-password', async (c) =>
  sendForgotPasswordPage(c, { email: c.req.query('email') }),
);

passwordResetPages.post('/forgot-password', async (c) => {
  const browser = await readBrowser(c);
  const form = await readPageForm(c, browser);
  const email = form.get('email') ?? '';
  try {
    await runPublicOperation(c, requestPasswordReset, { email }, { browser, form });
  } catch (error) {
    if (!(error instanceof AppError) || (error.status !== 429 && error.status !== 400)) throw error;
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return sendForgotPasswordPage(c, { email, problem: toErrorText(error) }, error.status);
  }
  return sendPage(
    c,
    <SiteLayout title="Check your email" width="narrow">
      <h1>Check your email</h1>
      <p>If this address has an account, we sent it a link to reset the password. It expires in 1 hour.</p>
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
    </SiteLayout>,
  );
});

passwordResetPages.get('/reset-password', async (c) => {
  const token = c.req.query('token') ?? '';
  try {
    await runPublicRead(c, checkPasswordReset, { token });
  } catch (error) {
    if (error instanceof AppError) return sendLinkExpiredPage(c);
    throw error;
  }
  return sendResetPasswordPage(c, { token });
});

passwordResetPages.post('/reset-password', async (c) => {
  const browser = await readBrowser(c);
  const form = await readPageForm(c, browser);
  const [token, password] = [form.get('token') ?? '', form.get('password') ?? ''];
  const endAccess = form.get('endAccess') === 'true';
  const { password: passwordProblem } = findInputProblems({ token, password }, passwordResetInput);
  if (passwordProblem) return sendResetPasswordPage(c, { token, endAccess, passwordProblem }, 400);
  try {
    await runPublicOperation(c, resetPassword, { token, password, endAccess }, { browser, form });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.status === 404) return sendLinkExpiredPage(c);
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return sendResetPasswordPage(c, { token, endAccess, problem: toErrorText(error) }, toPageStatus(error));
  }
  return sendPage(
    c,
    <SiteLayout title="Password changed" width="narrow">
      <h1>Password changed</h1>
      <p>You've been signed out of all browsers.</p>
      {endAccess ? (
        <p>Your API keys, connected apps, webhooks and calendar links have been revoked.</p>
      ) : null}
      <p>
        <a class="button" href="/sign-in">
          Sign in
        </a>
      </p>
    </SiteLayout>,
  );
});

function sendLinkExpiredPage(c: HttpContext): Promise<Response> {
  const message = 'Password reset links work once and expire after 1 hour.';
  const recoveryLink = ['/forgot-password', 'Request a new link'] as const;
  return sendPage(
    c,
    <ErrorPage title="This link no longer works" message={message} recoveryLink={recoveryLink} />,
    404,
  );
}

async function sendForgotPasswordPage(
  c: HttpContext,
  { email, problem }: { email?: string | undefined; problem?: string },
  status: PageStatus = 200,
): Promise<Response> {
  return sendPage(
    c,
    <SiteLayout title="Forgot your password?" width="narrow">
      <h1>Forgot your password?</h1>
      <p>We'll send you a link to reset it.</p>
      <Alert message={problem} />
      <SiteForm action="/forgot-password" browser={await readBrowser(c)} class="card">
        <Field
          name="email"
          label="Email address"
          type="email"
          value={email}
          autocomplete="username"
          maxlength={320}
          isFocused
        />
        <button type="submit" class="full">
          Send link
        </button>
      </SiteForm>
    </SiteLayout>,
    status,
  );
}

async function sendResetPasswordPage(
  c: HttpContext,
  {
    token,
    endAccess,
    passwordProblem,
    problem,
  }: { token: string; endAccess?: boolean; passwordProblem?: string; problem?: string },
  status: PageStatus = 200,
): Promise<Response> {
  return sendPage(
    c,
    <SiteLayout title="Choose a new password" width="narrow">
      <h1>Choose a new password</h1>
      <Alert message={problem} />
      <SiteForm action="/reset-password" browser={await readBrowser(c)} class="card" of={{ token }}>
        <NewPasswordField name="password" label="New password" isFocused problem={passwordProblem} />
        <RevokeAccessField isChosen={endAccess} />
        <button type="submit" class="full">
          Change password
        </button>
      </SiteForm>
    </SiteLayout>,
    status,
  );
}
