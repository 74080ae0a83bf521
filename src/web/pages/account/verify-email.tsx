import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { readBrowser, signInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { emailAddress } from '../../../accounts/sign-up/accounts.schema.ts';
import { takeSignUp } from '../../../accounts/sign-up/remember-sign-up.ts';
import {
  findUnverifiedAccount,
  resendVerification,
  verifyEmail,
} from '../../../accounts/sign-up/verify-email.ts';
import { describeParseError } from '../../../kernel/errors/describe-parse-error.ts';
import { AppError, invalidRequestError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { decodeBody } from '../../../kernel/http/rest-input.ts';
import { validateRequest } from '../../../kernel/http/validate.ts';
import { buildFirstWorkspaceName } from '../../../workspaces/directory/provision.ts';
import { workspaceNameInput } from '../../../workspaces/directory/workspaces.schema.ts';
import { toErrorText } from '../../server/error-text.ts';
import { sendPage } from '../../server/page-response.ts';
import {
  CheckEmailPage,
  EmailNotSentPage,
  EmailVerifiedPage,
  InvalidVerificationLinkPage,
  RequestVerificationLinkPage,
  VerifyEmailPage,
} from './verification.tsx';

const FORM_BYTES_MAX = 16 * 1024;
const LINK_RESENT_MESSAGE = "If this address has an account that isn't verified yet, we sent it a new link.";

const tokenFields = z.object({ token: z.string().min(1).max(200) });
/** The name is optional, because scripts verify addresses, too. */
const verifyFields = tokenFields.extend({
  workspaceName: z.preprocess(
    (name) => (typeof name === 'string' && name.trim() === '' ? undefined : name),
    workspaceNameInput.optional().catch(undefined),
  ),
});
const resendFields = z.strictObject({ email: emailAddress });

export const verifyEmailPages = new Hono<HttpEnv>();

verifyEmailPages.use('/verify-email/*', limitBody(FORM_BYTES_MAX));

verifyEmailPages.get(
  '/verify-email',
  validateRequest('query', tokenFields, (_, c) => sendPage(c, <InvalidVerificationLinkPage />, 400)),
  async (c) => {
    const { token } = c.req.valid('query');
    const account = await findUnverifiedAccount(c.get('scope'), token);
    return account
      ? sendPage(c, <VerifyEmailPage token={token} workspaceName={buildFirstWorkspaceName(account)} />)
      : sendPage(c, <InvalidVerificationLinkPage />, 400);
  },
);

verifyEmailPages.post(
  '/verify-email',
  validateRequest('form', verifyFields, (_, c) => sendPage(c, <InvalidVerificationLinkPage />, 400)),
  async (c) => {
    const account = await verifyEmail(c.get('scope'), c.req.valid('form'));
    if (!account) return sendPage(c, <InvalidVerificationLinkPage />, 400);
    const next = account.isNew ? await takeSignUp(c, account.email) : null;
    const isSignedIn = next !== null && (await signInBrowser(c, await readBrowser(c), account.id));
    return isSignedIn ? c.redirect(next, 303) : sendPage(c, <EmailVerifiedPage />);
  },
);

verifyEmailPages.get('/verify-email/resend', (c) => sendPage(c, <RequestVerificationLinkPage />));

verifyEmailPages.post(
  '/verify-email/resend',
  async (c, next) => {
    if (!isJsonRequest(c)) return next();
    const parsed = resendFields.safeParse(await decodeBody(c.req.raw), { reportInput: true });
    if (!parsed.success) throw invalidRequestError(describeParseError(parsed.error, resendFields));
    await resendVerification(c.get('scope'), parsed.data.email);
    return c.json({ success: true, message: LINK_RESENT_MESSAGE });
  },
  validateRequest('form', resendFields, (error, c) =>
    sendPage(c, <EmailNotSentPage message={describeParseError(error, resendFields)} />, 400),
  ),
  async (c) => {
    await resendVerification(c.get('scope'), c.req.valid('form').email);
    return sendPage(c, <CheckEmailPage message={LINK_RESENT_MESSAGE} />);
  },
);

/** Returns a page to browsers, and the usual error body to programs. app.ts handles unexpected errors. */
verifyEmailPages.onError((error, c) => {
  if (error instanceof HTTPException) return sendPage(c, <InvalidVerificationLinkPage />, 400);
  if (!(error instanceof AppError) || isJsonRequest(c)) throw error;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  return sendPage(c, <EmailNotSentPage message={toErrorText(error)} />, error.status === 429 ? 429 : 400);
});

function isJsonRequest(c: HttpContext): boolean {
  return /^application\/json\b/i.test(c.req.header('Content-Type') ?? '');
}
