import { Hono } from 'hono';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { handleAppearanceForm } from '../../server/appearance.ts';
import { handlePageError } from '../../server/error-page.tsx';
import { connectedAppPages } from '../connected-apps/connected-apps.tsx';
import { invitationPages } from './invitation.tsx';
import { passwordResetPages } from './password-reset.tsx';
import { signInPages } from './sign-in.tsx';
import { handleSignOut, sendSignOutPage } from './sign-out.tsx';
import { signUpPages } from './sign-up.tsx';
import { socialPages } from './social-sign-in.tsx';

const FORM_BYTES_MAX = 64 * 1024;

export const accountPages = new Hono<HttpEnv>();

for (const path of [
  '/sign-in',
  '/sign-in/:provider',
  '/sign-in/:provider/callback',
  '/sign-up',
  '/sign-out',
  '/appearance',
  '/forgot-password',
  '/reset-password',
  '/invitation',
  '/connected-apps',
  '/connected-apps/revoke',
]) {
  accountPages.use(path, limitBody(FORM_BYTES_MAX, { what: 'form' }));
  accountPages.use(path, (c, next) => {
    c.set('route', `${c.req.method} ${path}`);
    return next();
  });
}
accountPages.route('/', signInPages);
accountPages.route('/', socialPages);
accountPages.route('/', signUpPages);
accountPages.route('/', passwordResetPages);
accountPages.route('/', invitationPages);
accountPages.route('/', connectedAppPages);
accountPages.get('/sign-out', sendSignOutPage);
accountPages.post('/sign-out', handleSignOut);
accountPages.post('/appearance', handleAppearanceForm);
accountPages.onError((error, c) => handlePageError(error, c as HttpContext));
