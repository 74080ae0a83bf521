import { Hono } from 'hono';
import type * as z from 'zod';
import { createDirectorySessionAuthenticator } from '../../../accounts/browser-sessions/browser-caller.ts';
import { readBrowser, type SignedInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { AppError, notFoundError } from '../../../kernel/errors/errors.ts';
import { execute } from '../../../kernel/execute/execute.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';
import { WorkspaceBusyError } from '../../../kernel/rate-limit/workspace-budget.ts';
import { SecretAlreadyShownError } from '../../../kernel/sql/idempotency-key.ts';
import type { connectedAppPage, createdApiKey } from '../../../oauth/connected-apps/connected-apps.schema.ts';
import {
  createApiKey,
  listConnectedApps,
  revokeConnectedApp,
} from '../../../oauth/connected-apps/connected-apps.ts';
import { listOwnWorkspaces, type OwnWorkspace } from '../../../workspaces/directory/own-workspaces.ts';
import type { RejectedForm } from '../../page-model/page.ts';
import { ErrorPage } from '../../server/error-page.tsx';
import { toErrorText } from '../../server/error-text.ts';
import { findInputProblems, parseFormInput } from '../../server/form-input.ts';
import { deriveFormKey } from '../../server/form-keys.ts';
import { readPageForm } from '../../server/page-form.ts';
import { sendPage } from '../../server/page-response.ts';
import { sendBusyFormPage } from '../../server/send-busy-form-page.tsx';
import { ConnectedAppsPage, type ConnectedAppsPageProps } from './connected-apps.view.tsx';
import { buildKeyInput, keyFormSchema } from './key-form.ts';

const APPS_SHOWN_MAX = 50;

export const connectedAppPages = new Hono<HttpEnv>();

connectedAppPages.get('/connected-apps', async (c) => {
  const visit = await readConnectedAppsVisit(c, c.req.query('workspace') ?? null);
  return visit instanceof Response ? visit : sendConnectedAppsPage(c, visit);
});

connectedAppPages.post('/connected-apps', (c) =>
  handleConnectedAppsForm(c, async (visit, form) => {
    const input = parseFormInput(form, keyFormSchema);
    const reject = (rejected: Pick<RejectedForm, 'fields' | 'message'>) => ({
      rejected: { action: '/connected-apps', values: form, ...rejected },
    });
    const fields = findInputProblems(input, keyFormSchema);
    if (Object.keys(fields).length > 0) return reject({ fields, message: null });
    const key = buildKeyInput(keyFormSchema.parse(input));
    if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= c.get('scope').now) {
      return reject({ fields: { expiresOn: 'Choose today or a later date.' }, message: null });
    }
    try {
      const created = (await runOperation(c, visit, createApiKey, key, form)) as z.infer<
        typeof createdApiKey
      >;
      return { created };
    } catch (error) {
      if (error instanceof SecretAlreadyShownError) return { wasShownBefore: true };
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
      return reject({ fields: {}, message: toErrorText(error) });
    }
  }),
);

connectedAppPages.post('/connected-apps/revoke', (c) =>
  handleConnectedAppsForm(c, async (visit, form) => {
    const id = form.get('id') ?? '';
    if (!/^\d{1,15}$/.test(id)) throw notFoundError('connected app', id, 'this page');
    await runOperation(c, visit, revokeConnectedApp, { id: Number(id) }, form);
    return null;
  }),
);

interface ConnectedAppsVisit {
  readonly browser: SignedInBrowser;
  readonly workspaces: readonly OwnWorkspace[];
  readonly workspace: OwnWorkspace;
}

type FormOutcome = Pick<ConnectedAppsPageProps, 'created' | 'rejected' | 'wasShownBefore'>;

async function readConnectedAppsVisit(
  c: HttpContext,
  workspaceId: string | null,
): Promise<ConnectedAppsVisit | Response> {
  const browser = await readBrowser(c);
  const { person } = browser;
  if (!person) return redirectToSignIn(c);
  return resolveWorkspace(c, { ...browser, person }, workspaceId);
}

async function resolveWorkspace(
  c: HttpContext,
  browser: SignedInBrowser,
  workspaceId: string | null,
): Promise<ConnectedAppsVisit | Response> {
  const workspaces = await listOwnWorkspaces(c.get('scope'), browser.person.id);
  const workspace = workspaceId === null ? workspaces[0] : workspaces.find(({ id }) => id === workspaceId);
  if (workspace) return { browser, workspaces, workspace };
  const message =
    "You're not a member of this workspace. Open Connected apps again to choose one of your workspaces.";
  return sendPage(c, <ErrorPage title="Workspace not found" message={message} browser={browser} />, 404);
}

async function handleConnectedAppsForm(
  c: HttpContext,
  work: (visit: ConnectedAppsVisit, form: URLSearchParams) => Promise<FormOutcome | null>,
): Promise<Response> {
  const browser = await readBrowser(c);
  const form = await readPageForm(c, browser);
  const { person } = browser;
  if (!person) return redirectToSignIn(c);
  const visit = await resolveWorkspace(c, { ...browser, person }, form.get('workspace') ?? '');
  if (visit instanceof Response) return visit;
  try {
    const outcome = await work(visit, form);
    if (outcome) return await sendConnectedAppsPage(c, visit, outcome);
  } catch (error) {
    if (!(error instanceof WorkspaceBusyError)) throw error;
    return sendBusyFormPage(c, error, form);
  }
  return c.redirect(`/connected-apps?workspace=${encodeURIComponent(visit.workspace.id)}`, 303);
}

async function sendConnectedAppsPage(
  c: HttpContext,
  visit: ConnectedAppsVisit,
  outcome: FormOutcome = {},
): Promise<Response> {
  const offset = Number(/^\d{1,6}$/.exec(c.req.query('offset') ?? '')?.[0] ?? 0);
  const input = { limit: APPS_SHOWN_MAX, offset };
  const apps = (await runOperation(c, visit, listConnectedApps, input)) as z.infer<typeof connectedAppPage>;
  const { now } = c.get('scope');
  return sendPage(
    c,
    <ConnectedAppsPage {...visit} {...outcome} apps={apps} now={now} />,
    outcome.rejected ? 400 : 200,
    {
      hasScript: outcome.created !== undefined,
    },
  );
}

async function runOperation(
  c: HttpContext,
  { browser, workspace }: ConnectedAppsVisit,
  operation: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  form?: URLSearchParams,
): Promise<unknown> {
  const scope = c.get('scope');
  const location = { workspaceId: workspace.id, cell: workspace.cell };
  const { output } = await execute(operation, {
    request: scope,
    authenticator: createDirectorySessionAuthenticator(scope, browser, location),
    input: () => input,
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
    ...(form && { idempotencyKey: deriveFormKey(c, form, input) }),
  });
  return output;
}

function redirectToSignIn(c: HttpContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const next = c.req.method === 'GET' ? pathname + search : '/connected-apps';
  return c.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303);
}
