import { Hono } from 'hono';
import {
  type Browser,
  readBrowser,
  signInBrowser,
} from '../../../accounts/browser-sessions/browser-session.ts';
import { toSafeReturnPath } from '../../../accounts/browser-sessions/return-path.ts';
import { loginInput } from '../../../accounts/sign-up/accounts.schema.ts';
import { signInWithPassword } from '../../../accounts/sign-up/password-sign-in.ts';
import {
  listConfiguredProviders,
  type ProviderId,
  providerNames,
} from '../../../accounts/social/social-provider.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { Alert, Field } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import { toErrorText } from '../../server/error-text.ts';
import { SiteLayout } from '../../server/layout.tsx';
import { readFormEvenIfExpired } from '../../server/page-form.ts';
import { sendPage } from '../../server/page-response.ts';
import { findRequestingApp } from './requesting-app.ts';
import { ResendVerificationForm } from './verification.tsx';

export const signInPages = new Hono<HttpEnv>();

signInPages.get('/sign-in', async (c) => {
  const scope = c.get('scope');
  const browser = await readBrowser(c);
  const next = toSafeReturnPath(c.req.query('next'), scope.origin);
  return browser.person ? c.redirect(next, 303) : sendSignInPage(c, { browser, next });
});

signInPages.post('/sign-in', async (c) => {
  const scope = c.get('scope');
  const browser = await readBrowser(c);
  const { typed: form, expired } = await readFormEvenIfExpired(c, browser);
  const next = toSafeReturnPath(form.get('next'), scope.origin);
  const email = form.get('email') ?? '';
  const sendFormAgain = (problem: string, status: 400 | 403 | 429 = 400) =>
    sendSignInPage(c, { browser, next, email, problem }, status);
  if (expired) return sendFormAgain('This page has expired. Enter your password again.', 403);

  const parsed = loginInput.safeParse({ email, password: form.get('password') ?? '' });
  if (!parsed.success) return sendFormAgain('Enter your email address and password.');
  try {
    const signIn = await signInWithPassword(scope, parsed.data.email, parsed.data.password);
    if (signIn.outcome === 'unverified') {
      const problem = signInProblems.unverified;
      return sendSignInPage(c, { browser, next, email, problem, isUnverified: true }, 400);
    }
    if (signIn.outcome === 'rejected') return sendFormAgain(signInProblems.rejected);
    // People without a workspace can still sign in, to create a workspace or delete their account.
    const userId = signIn.outcome === 'no_workspace' ? signIn.userId : signIn.membership.userId;
    // Fails if the password has just changed, because a change signs out every browser.
    if (!(await signInBrowser(c, browser, userId, signIn.passwordHash)))
      return sendFormAgain(signInProblems.rejected);
    return c.redirect(next, 303);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    return sendFormAgain(toErrorText(error), 429);
  }
});

const signInProblems = {
  rejected: 'Wrong email or password. Check both and try again.',
  unverified: "This account isn't verified yet. Open the link we emailed you.",
} as const;

interface SignInPageProps {
  browser: Browser;
  next: string;
  email?: string;
  problem?: string;
  isUnverified?: boolean;
}

export async function sendSignInPage(
  c: HttpContext,
  props: SignInPageProps,
  status: 200 | 400 | 403 | 429 = 200,
): Promise<Response> {
  const scope = c.get('scope');
  const providers = listConfiguredProviders(scope.config);
  const app = await findRequestingApp(scope, props.next);
  return sendPage(c, <SignInPage {...props} providers={providers} app={app} />, status);
}

function SignInPage({
  browser,
  next,
  email,
  problem,
  providers,
  app,
  isUnverified,
}: SignInPageProps & { providers: readonly ProviderId[]; app: string | null }) {
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <SiteLayout title="Sign in to Edgework" width="narrow">
      <h1>Sign in</h1>
      {app ? (
        <p>
          Sign in to connect <bdi class="client">{app}</bdi>. You'll review its access in the next step.
        </p>
      ) : null}
      <Alert message={problem} />
      {isUnverified ? <ResendVerificationForm email={email} /> : null}
      <div class="card">
        {providers.map((id) => (
          <a class="button plain full" href={`/sign-in/${id}${query}`}>
            Continue with {providerNames[id]}
          </a>
        ))}
        {providers.length > 0 ? <p class="divider">or use your password</p> : null}
        <SiteForm action="/sign-in" browser={browser} of={{ next }}>
          <Field
            name="email"
            label="Email address"
            type="email"
            value={email}
            autocomplete="username"
            maxlength={320}
            isFocused={!email}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            maxlength={1024}
            isFocused={Boolean(email)}
          />
          <button type="submit" class="full">
            Sign in
          </button>
        </SiteForm>
      </div>
      <p class="after">
        <a href="/forgot-password">Forgot your password?</a>
      </p>
      <p class="after">
        New here? <a href={`/sign-up${query}`}>Create an account</a>
      </p>
    </SiteLayout>
  );
}
