import { Hono } from 'hono';
import { AppError, forbiddenError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { log } from '../../../kernel/operation/log.ts';
import { toAddressBlock } from '../../../kernel/rate-limit/client-address.ts';
import { countHit, requireWithinRateLimit } from '../../../kernel/rate-limit/rate-limit.ts';
import { isSameSecret } from '../../../kernel/secrets/sign-text.ts';
import { EMAILS_COUNTED_MAX, readServiceReport } from '../../../upkeep/incidents/service-report.ts';
import { requeueAbandonedEmails } from '../../../upkeep/incidents/unsent-emails.queries.ts';
import { handlePageError } from '../../server/error-page.tsx';
import { readUrlEncodedForm, requireSameOriginRequest } from '../../server/page-form.ts';
import { sendPage } from '../../server/page-response.ts';
import { OperatorPage, OperatorSignInPage } from './operator.view.tsx';
import {
  closeOperatorSession,
  isOperatorKey,
  type OperatorSession,
  openOperatorSession,
  readOperatorSession,
} from './operator-session.ts';

const OPERATOR_PATH = '/operator';
const FORM_BYTES_MAX = 16 * 1024;
const ATTEMPTS_MAX = 10;
const ATTEMPTS_WINDOW_MS = 15 * 60_000;

/** These pages are for the operator of the deployment, and don't exist without OPERATOR_KEY. */
export const operatorPages = new Hono<HttpEnv>();

operatorPages.use(`${OPERATOR_PATH}/*`, async (c, next) => {
  if (c.get('scope').config.operatorKey === null) return c.notFound();
  return next();
});
operatorPages.use(`${OPERATOR_PATH}/*`, limitBody(FORM_BYTES_MAX, { what: 'form' }));

operatorPages.get(OPERATOR_PATH, async (c) => {
  const session = readOperatorSession(c);
  if (!session) return sendPage(c, <OperatorSignInPage />);
  const scope = c.get('scope');
  const report = await readServiceReport(scope);
  const resent = /^\d{1,4}$/.exec(c.req.query('resent') ?? '')?.[0];
  return sendPage(
    c,
    <OperatorPage
      csrf={session.csrf}
      report={report}
      now={scope.now}
      resent={resent === undefined ? null : Number(resent)}
    />,
  );
});

operatorPages.post(OPERATOR_PATH, async (c) => {
  const scope = c.get('scope');
  requireSameOriginRequest(c);
  const form = await readUrlEncodedForm(c);
  const name = `operator:ip:${toAddressBlock(scope.clientIp)}`;
  requireWithinRateLimit(await countHit(scope, name, ATTEMPTS_MAX, ATTEMPTS_WINDOW_MS, { durable: true }));
  if (!isOperatorKey(scope, form.get('key') ?? '')) {
    log('info', 'operator.refused', { id: scope.id });
    return sendPage(c, <OperatorSignInPage problem="Wrong key. Check it and try again." />, 403);
  }
  log('info', 'operator.signed_in', { id: scope.id });
  openOperatorSession(c);
  return c.redirect(OPERATOR_PATH, 303);
});

operatorPages.post(`${OPERATOR_PATH}/sign-out`, async (c) => {
  await readOperatorForm(c);
  closeOperatorSession(c);
  return c.redirect(OPERATOR_PATH, 303);
});

operatorPages.post(`${OPERATOR_PATH}/emails`, async (c) => {
  const form = await readOperatorForm(c);
  const scope = c.get('scope');
  const id = form.get('id');
  if (id !== null && !/^\d{1,15}$/.test(id)) throw expiredSessionError();
  const [sent] = await scope.directory.batch([
    requeueAbandonedEmails(id === null ? null : Number(id), EMAILS_COUNTED_MAX),
  ]);
  log('info', 'operator.resent', { id: scope.id, emails: sent.length });
  return c.redirect(`${OPERATOR_PATH}?resent=${sent.length}`, 303);
});

operatorPages.onError((error, c) => {
  const isExpired = error instanceof AppError && error.status === 403;
  return isExpired
    ? sendPage(c as HttpContext, <OperatorSignInPage problem={error.message} />, 403)
    : handlePageError(error, c as HttpContext);
});

/** Throws 403 unless a page of the same session submitted the form. */
async function readOperatorForm(c: HttpContext): Promise<URLSearchParams> {
  requireSameOriginRequest(c);
  const session: OperatorSession | null = readOperatorSession(c);
  const form = await readUrlEncodedForm(c);
  if (!session || !isSameSecret(session.csrf, form.get('csrf') ?? '')) throw expiredSessionError();
  return form;
}

function expiredSessionError(): AppError {
  return forbiddenError('Your session has expired. Enter the key again.');
}
