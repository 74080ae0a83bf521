import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type * as z from 'zod';
import {
  type Browser,
  readBrowser,
  type SignedInBrowser,
} from '../../../accounts/browser-sessions/browser-session.ts';
import { listBrowsers } from '../../../accounts/own/browsers.ts';
import { getProfile } from '../../../accounts/own/change-profile.ts';
import { deleteAccount } from '../../../accounts/own/delete-account.ts';
import {
  type browserListOutput,
  PICTURE_BYTES_MAX,
  type profileOutput,
} from '../../../accounts/own/own-account.schema.ts';
import { setPicture } from '../../../accounts/own/picture.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { type Snapshot, StaleSnapshotError } from '../../../kernel/operation/snapshot.ts';
import type { IdempotencyKey } from '../../../kernel/sql/idempotency-key.ts';
import { listOwnWorkspaces } from '../../../workspaces/directory/own-workspaces.ts';
import { omitUnchangedFields, parseSnapshotField } from '../../components/snapshot-field.ts';
import type { RejectedForm } from '../../page-model/page.ts';
import { describeConflict } from '../../server/edit-conflict.ts';
import { sendSignedOutPage } from '../../server/entered-values.tsx';
import { handlePageError, toPageStatus } from '../../server/error-page.tsx';
import { toErrorText } from '../../server/error-text.ts';
import {
  describeHiddenFieldProblem,
  findErrorField,
  findInputProblems,
  parseFormInput,
} from '../../server/form-input.ts';
import { deriveSiteFormKey } from '../../server/form-keys.ts';
import { readFileForm, readFormEvenIfExpired } from '../../server/page-form.ts';
import { type PageStatus, sendPage } from '../../server/page-response.ts';
import { sendAccountData } from './account-data.ts';
import {
  ACCOUNT_DATA_PATH,
  ACCOUNT_PATH,
  type AccountForm,
  accountForms,
  OWN_APPS_PATH,
  successMessages,
} from './account-forms.ts';
import { confirmEmailPages } from './confirm-email.tsx';
import { AccountPage } from './own-account.view.tsx';
import { sendOwnAppsPage } from './own-apps.tsx';
import { redirectToSignIn, runAccountOperation } from './run-account-operation.ts';

const FORM_BYTES_MAX = 64 * 1024;
const multilineFields = ['redirectUris'];

export const ownAccountPages = new Hono<HttpEnv>();

ownAccountPages.get(ACCOUNT_PATH, async (c) => {
  c.set('route', `GET ${ACCOUNT_PATH}`);
  return sendAccountPage(c, await readBrowser(c));
});

ownAccountPages.get(ACCOUNT_DATA_PATH, async (c) => {
  c.set('route', `GET ${ACCOUNT_DATA_PATH}`);
  return sendAccountData(c, await readBrowser(c));
});

ownAccountPages.get(OWN_APPS_PATH, async (c) => {
  c.set('route', `GET ${OWN_APPS_PATH}`);
  return sendOwnAppsPage(c, await readBrowser(c));
});

const getPageSender = (page: AccountForm['page']) =>
  page === OWN_APPS_PATH ? sendOwnAppsPage : sendAccountPage;

for (const form of accountForms) {
  ownAccountPages.use(form.path, limitBody(FORM_BYTES_MAX, { what: 'form' }));
  ownAccountPages.post(form.path, async (c) => {
    c.set('route', `POST ${form.path}`);
    const browser = await readBrowser(c);
    const { typed: fields, expired } = await readFormEvenIfExpired(c, browser, multilineFields);
    if (expired) {
      const back = form.page ?? ACCOUNT_PATH;
      if (!browser.person) return sendSignedOutPage(c, { form: fields, back, expired });
      const rejected = { action: form.path, values: fields, fields: {}, message: toErrorText(expired) };
      return getPageSender(form.page)(c, browser, rejected, 403);
    }
    const snapshot = parseSnapshotField(fields);
    const input = omitUnchangedFields(
      parseFormInput(fields, form.operation.input),
      fields,
      form.operation.input,
    );
    if (input === null) return c.redirect(form.page ?? ACCOUNT_PATH, 303);
    return runAccountForm(c, browser, form, {
      fields,
      input,
      snapshot,
      key: deriveSiteFormKey(c, browser, fields, input),
    });
  });
}

const pictureForm = {
  path: `${ACCOUNT_PATH}/picture`,
  operation: setPicture,
  redirectTo: () => `${ACCOUNT_PATH}?done=picture`,
};
ownAccountPages.use(pictureForm.path, limitBody(PICTURE_BYTES_MAX + FORM_BYTES_MAX, { what: 'picture' }));
ownAccountPages.post(pictureForm.path, async (c) => {
  c.set('route', `POST ${pictureForm.path}`);
  const browser = await readBrowser(c);
  const { fields, bytes } = await readFileForm(c, browser, 'bytes');
  const key = deriveSiteFormKey(c, browser, fields, {
    hash: createHash('sha256').update(bytes).digest('hex'),
  });
  return runAccountForm(c, browser, pictureForm, { fields, input: { bytes }, key });
});

ownAccountPages.route('/', confirmEmailPages);
ownAccountPages.onError((error, c) => handlePageError(error, c as HttpContext));

interface SubmittedForm {
  readonly fields: URLSearchParams;
  readonly input: Record<string, unknown>;
  readonly snapshot?: Snapshot;
  readonly key: IdempotencyKey;
}

async function runAccountForm(
  c: HttpContext,
  browser: Browser,
  { path, operation, redirectTo, page }: AccountForm,
  { fields: values, input, snapshot, key }: SubmittedForm,
): Promise<Response> {
  const handleSignedOut = async () => {
    // If the button was pressed twice, the first press may already have deleted the account.
    const [sent] = await c.get('scope').directory.batch([key.find]);
    return sent && operation === deleteAccount
      ? c.redirect('/', 303)
      : sendSignedOutPage(c, { form: values, back: page ?? ACCOUNT_PATH });
  };
  if (!browser.person) return handleSignedOut();
  const sendFormAgain = (rejected: Pick<RejectedForm, 'fields' | 'message'>, status: PageStatus) =>
    getPageSender(page)(c, browser, { action: path, values, ...rejected }, status);
  const fields = findInputProblems(input, operation.input);
  if (Object.keys(fields).length > 0) {
    return sendFormAgain({ fields, message: describeHiddenFieldProblem(fields, [...values.keys()]) }, 400);
  }
  try {
    return c.redirect(
      redirectTo((await runAccountOperation(c, browser, operation, input, key, snapshot)) as never),
      303,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'unauthorized') return handleSignedOut();
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    const message =
      error instanceof StaleSnapshotError ? await describeConflict(c, error) : toErrorText(error);
    const field = findErrorField(error, [...values.keys()]);
    return sendFormAgain(
      field === null ? { fields: {}, message } : { fields: { [field]: message }, message: null },
      toPageStatus(error),
    );
  }
}

async function sendAccountPage(
  c: HttpContext,
  browser: Browser,
  rejected: RejectedForm | null = null,
  status: PageStatus = 200,
): Promise<Response> {
  const { person } = browser;
  if (!person) return redirectToSignIn(c, ACCOUNT_PATH);
  const signedIn: SignedInBrowser = { ...browser, person };
  const [profile, { browsers }, workspaces] = await Promise.all([
    runAccountOperation(c, signedIn, getProfile, {}) as Promise<z.output<typeof profileOutput>>,
    runAccountOperation(c, signedIn, listBrowsers, {}) as Promise<z.output<typeof browserListOutput>>,
    listOwnWorkspaces(c.get('scope'), person.id),
  ]);
  const requested = c.req.query('done') ?? '';
  const done = Object.hasOwn(successMessages, requested)
    ? successMessages[requested as keyof typeof successMessages]
    : null;
  return sendPage(
    c,
    <AccountPage
      browser={signedIn}
      profile={profile}
      browsers={browsers}
      workspaces={workspaces}
      done={rejected === null ? done : null}
      rejected={rejected}
    />,
    status,
  );
}
