import { Hono } from 'hono';
import { readBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { integerId } from '../../../kernel/operation/schema.ts';
import { hashSecret } from '../../../kernel/secrets/tokens.ts';
import { intakeSubmissionInput } from '../../../sharing/intake/intake-forms.schema.ts';
import { INTAKE_PATH } from '../../../sharing/intake/intake-forms.ts';
import { showIntakeForm, submitIntakeForm } from '../../../sharing/intake/submit-intake.ts';
import { linkNotFoundError } from '../../../sharing/model/visitor.ts';
import { SHARED_PATH } from '../../../sharing/public-links/link-token.ts';
import { sharedTasksInput } from '../../../sharing/shared-tasks/shared-tasks.schema.ts';
import { getSharedTask, getSharedTasks } from '../../../sharing/shared-tasks/shared-tasks.ts';
import type { RejectedForm } from '../../page-model/page.ts';
import { copyErrorHeaders, ErrorPage, toPageStatus } from '../../server/error-page.tsx';
import { toErrorText } from '../../server/error-text.ts';
import { findInputProblems, parseFormInput } from '../../server/form-input.ts';
import { readFormEvenIfExpired } from '../../server/page-form.ts';
import { type PageStatus, sendPage } from '../../server/page-response.ts';
import { runPublicRead } from '../account/public-operations.ts';
import { IntakePage, IntakeSentPage } from './intake.view.tsx';
import { SharedTaskPage, SharedTasksPage } from './shared-tasks.view.tsx';

const FORM_BYTES_MAX = 64 * 1024;

/** Pages for people who aren't signed in. Search engines and caches must not keep them. */
export const visitorPages = new Hono<HttpEnv>();

visitorPages.get(`${SHARED_PATH}/:secret`, (c) =>
  sendVisitorPage(c, async () => {
    const secret = c.req.param('secret');
    const { status, after } = c.req.query();
    const input = sharedTasksInput.safeParse({ secret, ...(status && { status }), ...(after && { after }) });
    if (!input.success) throw linkNotFoundError();
    const shared = await runPublicRead(c, getSharedTasks, input.data);
    return <SharedTasksPage shared={shared} address={`${SHARED_PATH}/${secret}`} only={input.data.status} />;
  }),
);

visitorPages.get(`${SHARED_PATH}/:secret/tasks/:id`, (c) =>
  sendVisitorPage(c, async () => {
    const secret = c.req.param('secret');
    const id = integerId.safeParse(Number(c.req.param('id')));
    if (!id.success) throw linkNotFoundError();
    const shared = await runPublicRead(c, getSharedTask, { secret, id: id.data });
    return <SharedTaskPage shared={shared} address={`${SHARED_PATH}/${secret}`} />;
  }),
);

visitorPages.get(`${INTAKE_PATH}/:secret`, (c) => sendIntakePage(c, null));
visitorPages.get(`${INTAKE_PATH}/:secret/sent`, (c) =>
  sendVisitorPage(c, async () => {
    const secret = c.req.param('secret');
    const { projectName } = await runPublicRead(c, showIntakeForm, { secret });
    return <IntakeSentPage projectName={projectName} address={`${INTAKE_PATH}/${secret}`} />;
  }),
);

/** Visitors can't see this field. Programs fill it in. */
const TRAP_FIELD = 'website';

visitorPages.post(`${INTAKE_PATH}/:secret`, limitBody(FORM_BYTES_MAX, { what: 'form' }), async (c) => {
  const secret = c.req.param('secret');
  const browser = await readBrowser(c);
  const { typed, expired } = await readFormEvenIfExpired(c, browser, ['description']);
  const sendAgain = (rejected: Pick<RejectedForm, 'message' | 'fields'>, status: PageStatus) =>
    sendIntakePage(c, { action: c.req.path, values: typed, ...rejected }, status);
  if (expired) return sendAgain({ message: 'This page has expired. Send the form again.', fields: {} }, 403);
  const sent = new URLSearchParams([...typed].filter(([name]) => name !== TRAP_FIELD));
  const content = parseFormInput(sent, intakeSubmissionInput);
  const input = { ...content, secret, key: hashSecret(`${browser.idHash} ${typed.get('once')} ${sent}`) };
  const fields = findInputProblems(input, intakeSubmissionInput);
  if (Object.keys(fields).length > 0) return sendAgain({ message: null, fields }, 400);
  try {
    if (!typed.get(TRAP_FIELD)) await runPublicRead(c, submitIntakeForm, intakeSubmissionInput.parse(input));
    return c.redirect(`${INTAKE_PATH}/${secret}/sent`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.status === 404) return sendLinkNotFoundPage(c);
    copyErrorHeaders(c, error);
    return sendAgain({ message: toErrorText(error), fields: {} }, toPageStatus(error));
  }
});

function sendIntakePage(c: HttpContext, rejected: RejectedForm | null, status: PageStatus = 200) {
  return sendVisitorPage(
    c,
    async () => {
      const secret = c.req.param('secret') ?? '';
      const form = await runPublicRead(c, showIntakeForm, { secret });
      const browser = await readBrowser(c);
      return (
        <IntakePage
          form={form}
          action={`${INTAKE_PATH}/${secret}`}
          browser={browser}
          rejected={rejected}
          trap={TRAP_FIELD}
        />
      );
    },
    status,
  );
}

async function sendVisitorPage(c: HttpContext, build: () => Promise<unknown>, status?: PageStatus) {
  c.header('X-Robots-Tag', 'noindex, nofollow');
  try {
    return await sendPage(c, await build(), status);
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return sendLinkNotFoundPage(c);
    throw error;
  }
}

function sendLinkNotFoundPage(c: HttpContext) {
  c.header('X-Robots-Tag', 'noindex, nofollow');
  const { message } = linkNotFoundError();
  return sendPage(c, <ErrorPage title="This link doesn't work" message={message} />, 404);
}
