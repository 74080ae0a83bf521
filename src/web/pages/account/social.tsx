import { Hono } from 'hono';
import { readBrowser, signInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { HOME, safeReturnPath } from '../../../accounts/browser-sessions/return-path.ts';
import { beginSocialSignIn, finishSocialSignIn } from '../../../accounts/social/social-sign-in.ts';
import type { HttpEnv } from '../../../kernel/http/http.ts';
import { answerSignIn } from './sign-in.tsx';

/** "Continue with …": goes to the provider and comes back. */
export const socialPages = new Hono<HttpEnv>();

socialPages.get('/sign-in/:provider', async (c) => {
  const next = safeReturnPath(c.req.query('next'), c.get('scope').origin);
  const away = await beginSocialSignIn(c, c.req.param('provider'), next);
  return away ? c.redirect(away.href, 303) : c.notFound();
});

socialPages.get('/sign-in/:provider/callback', async (c) => {
  const { code, state } = c.req.query();
  const signIn = await finishSocialSignIn(c, c.req.param('provider'), { code, state });
  const browser = await readBrowser(c);
  if (signIn.outcome !== 'signed_in') {
    return answerSignIn(c, { browser, next: HOME, problem: problems[signIn.outcome] }, 400);
  }
  await signInBrowser(c, browser, signIn.userId);
  return c.redirect(safeReturnPath(signIn.next, c.get('scope').origin), 303);
});

const problems = {
  not_asked: 'Signing in was not completed. Try again.',
  failed: 'The provider did not confirm who you are. Try again, or use your password.',
  no_verified_address:
    'The provider knows no verified email address of yours. Verify one there, or use your password.',
  unverified_account:
    'An account with this email address waits for verification. If you made it, follow the link in its mail. If somebody else did, choose a password of your own below, under “Forgot your password?”: theirs ends. Then this works too.',
} as const;
