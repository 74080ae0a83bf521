import { Hono } from 'hono';
import { readBrowser, signInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { HOME_PATH, toSafeReturnPath } from '../../../accounts/browser-sessions/return-path.ts';
import { beginSocialSignIn, finishSocialSignIn } from '../../../accounts/social/social-sign-in.ts';
import type { HttpEnv } from '../../../kernel/http/http.ts';
import { sendSignInPage } from './sign-in.tsx';

export const socialPages = new Hono<HttpEnv>();

socialPages.get('/sign-in/:provider', async (c) => {
  const next = toSafeReturnPath(c.req.query('next'), c.get('scope').origin);
  const redirect = await beginSocialSignIn(c, c.req.param('provider'), next);
  return redirect ? c.redirect(redirect.href, 303) : c.notFound();
});

socialPages.get('/sign-in/:provider/callback', async (c) => {
  const { code, state } = c.req.query();
  const signIn = await finishSocialSignIn(c, c.req.param('provider'), { code, state });
  const browser = await readBrowser(c);
  if (signIn.outcome !== 'signed_in') {
    return sendSignInPage(
      c,
      { browser, next: HOME_PATH, problem: socialSignInProblems[signIn.outcome] },
      400,
    );
  }
  await signInBrowser(c, browser, signIn.userId);
  return c.redirect(toSafeReturnPath(signIn.next, c.get('scope').origin), 303);
});

const socialSignInProblems = {
  not_asked: "Sign-in wasn't completed. Try again.",
  failed: "The provider didn't confirm your identity. Try again, or use your password.",
  no_verified_address:
    'Your account at the provider has no verified email address. Verify one there, or use your password.',
  unverified_account:
    "There's already an account with this email address, but the address hasn't been verified yet. If you created the account, open the link we emailed you. If you didn't, choose a new password with “Forgot your password?” below, then try again.",
} as const;
