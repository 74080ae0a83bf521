import { Hono } from 'hono';
import { type Browser, readBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { toSafeReturnPath } from '../../../accounts/browser-sessions/return-path.ts';
import { registerInput } from '../../../accounts/sign-up/accounts.schema.ts';
import { createAccount } from '../../../accounts/sign-up/create-account.ts';
import { rememberSignUp } from '../../../accounts/sign-up/remember-sign-up.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { Alert, Field } from '../../components/field.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import { toErrorText } from '../../server/error-text.ts';
import { findInputProblems } from '../../server/form-input.ts';
import { deriveSiteFormKey } from '../../server/form-keys.ts';
import { SiteLayout } from '../../server/layout.tsx';
import { readFormEvenIfExpired } from '../../server/page-form.ts';
import { sendPage } from '../../server/page-response.ts';
import { CheckEmailPage } from './verification.tsx';

export const signUpPages = new Hono<HttpEnv>();

signUpPages.get('/sign-up', async (c) => {
  const next = toSafeReturnPath(c.req.query('next'), c.get('scope').origin);
  return sendSignUpPage(c, { browser: await readBrowser(c), next });
});

signUpPages.post('/sign-up', async (c) => {
  const scope = c.get('scope');
  const browser = await readBrowser(c);
  const { typed: form, expired } = await readFormEvenIfExpired(c, browser);
  const next = toSafeReturnPath(form.get('next'), scope.origin);
  const [name, email, password] = ['name', 'email', 'password'].map((field) => form.get(field) ?? '');
  const sendFormAgain = (problem: string, status: 400 | 403 | 429 = 400) =>
    sendSignUpPage(c, { browser, next, name, email, problem }, status);
  if (expired) return sendFormAgain('This page has expired. Choose your password again.', 403);
  const fieldProblems = findInputProblems({ name, email, password }, registerInput);
  if (Object.keys(fieldProblems).length > 0)
    return sendSignUpPage(c, { browser, next, name, email, fieldProblems }, 400);

  const account = registerInput.parse({ name, email, password });
  try {
    if (!(await createAccount(scope, account, deriveSiteFormKey(c, browser, form, account)))) {
      return sendFormAgain(
        "There's already an account with this email address. Sign in, or open the link we emailed you to verify it. If someone else created it, reset the password with “Forgot your password?” on the sign-in page.",
      );
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    for (const [header, value] of Object.entries(error.headers)) c.header(header, value);
    return sendFormAgain(toErrorText(error), 429);
  }
  await rememberSignUp(c, { email: account.email, next });
  return sendPage(
    c,
    <CheckEmailPage
      email={account.email}
      message={`We sent a link to ${account.email}. Open it within 48 hours to verify your address.`}
    />,
  );
});

interface SignUpPageProps {
  browser: Browser;
  next: string;
  name?: string | undefined;
  email?: string | undefined;
  problem?: string;
  fieldProblems?: Readonly<Record<string, string>>;
}

function sendSignUpPage(
  c: HttpContext,
  props: SignUpPageProps,
  status: 200 | 400 | 403 | 429 = 200,
): Promise<Response> {
  return sendPage(c, <SignUpPage {...props} />, status);
}

function SignUpPage({ browser, next, name, email, problem, fieldProblems = {} }: SignUpPageProps) {
  const isRejected = Object.keys(fieldProblems).length > 0;
  return (
    <SiteLayout title="Create an Edgework account" width="narrow">
      <h1>Create your account</h1>
      <p class="note">Free. Includes your own workspace.</p>
      <Alert message={problem} />
      <SiteForm action="/sign-up" browser={browser} class="card" of={{ next }}>
        <Field
          name="name"
          label="Your name"
          value={name}
          autocomplete="name"
          maxlength={100}
          isFocused={!isRejected}
          problem={fieldProblems.name}
        />
        <Field
          name="email"
          label="Email address"
          type="email"
          value={email}
          autocomplete="email"
          maxlength={254}
          problem={fieldProblems.email}
        />
        <NewPasswordField name="password" label="Password" problem={fieldProblems.password} />
        <button type="submit" class="full">
          Create account
        </button>
      </SiteForm>
      <p class="after">
        Already have an account? <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in</a>
      </p>
    </SiteLayout>
  );
}
