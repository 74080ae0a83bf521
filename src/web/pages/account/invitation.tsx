import { Hono } from 'hono';
import type * as z from 'zod';
import { toSignedInAccount } from '../../../accounts/browser-sessions/browser-account.ts';
import {
  type Browser,
  readBrowser,
  signInBrowser,
} from '../../../accounts/browser-sessions/browser-session.ts';
import { AppError } from '../../../kernel/errors/errors.ts';
import { executeForAccount } from '../../../kernel/execute/execute-for-account.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import {
  acceptInvitation,
  registerByInvitation,
  showInvitation,
} from '../../../workspaces/invitations/accept.ts';
import type {
  acceptedInvitation,
  invitationPreview,
} from '../../../workspaces/invitations/invitations.schema.ts';
import { Alert, Field } from '../../components/field.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import { ErrorPage, toPageStatus } from '../../server/error-page.tsx';
import { toErrorText } from '../../server/error-text.ts';
import { findInputProblems } from '../../server/form-input.ts';
import { deriveSiteFormKey } from '../../server/form-keys.ts';
import { SiteLayout } from '../../server/layout.tsx';
import { readPageForm } from '../../server/page-form.ts';
import { type PageStatus, sendPage } from '../../server/page-response.ts';
import { runPublicOperation, runPublicRead } from './public-operations.ts';

export const invitationPages = new Hono<HttpEnv>();

invitationPages.get('/invitation', (c) => sendInvitationPage(c, { token: c.req.query('token') ?? '' }));

invitationPages.post('/invitation', async (c) => {
  const browser = await readBrowser(c);
  const form = await readPageForm(c, browser);
  const token = form.get('token') ?? '';
  const sendFormAgain = (error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    // The operation's message is safe to display, because the link proves that the person was invited.
    const problem = error.status === 403 ? error.message : toErrorText(error);
    for (const [name, value] of Object.entries(error.headers))
      if (name !== 'WWW-Authenticate') c.header(name, value);
    return sendInvitationPage(
      c,
      { token, name: form.get('name') ?? undefined, problem },
      toPageStatus(error),
    );
  };
  try {
    const { person } = browser;
    if (person) {
      const account = toSignedInAccount(c.get('scope'), { ...browser, person });
      const joined = await executeForAccount(
        acceptInvitation,
        c.get('scope'),
        account,
        { token },
        deriveSiteFormKey(c, browser, form, { token }),
      );
      return c.redirect(`/app/${(joined as z.output<typeof acceptedInvitation>).workspaceId}`, 303);
    }
    const input = { token, name: form.get('name') ?? '', password: form.get('password') ?? '' };
    const fieldProblems = findInputProblems(input, registerByInvitation.input);
    if (Object.keys(fieldProblems).length > 0)
      return sendInvitationPage(c, { token, name: input.name, fieldProblems }, 400);
    const joined = await runPublicOperation(c, registerByInvitation, input, { browser, form });
    await signInBrowser(c, browser, joined.userId);
    return c.redirect(`/app/${joined.workspaceId}`, 303);
  } catch (error) {
    return sendFormAgain(error);
  }
});

interface InvitationPageProps {
  token: string;
  name?: string | undefined;
  problem?: string;
  fieldProblems?: Readonly<Record<string, string>>;
}

async function sendInvitationPage(
  c: HttpContext,
  props: InvitationPageProps,
  status: PageStatus = 200,
): Promise<Response> {
  const browser = await readBrowser(c);
  try {
    const invitation = await runPublicRead(c, showInvitation, { token: props.token });
    return sendPage(c, <InvitationPage {...props} invitation={invitation} browser={browser} />, status);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message =
      "It was withdrawn or already used, or it's more than 7 days old. Ask the person who invited you to send a new one.";
    return sendPage(c, <ErrorPage title="This invitation is no longer valid" message={message} />, 404);
  }
}

type InvitationPreview = z.output<typeof invitationPreview>;

function InvitationPage({
  invitation,
  browser,
  token,
  name,
  problem,
  fieldProblems = {},
}: InvitationPageProps & { invitation: InvitationPreview; browser: Browser }) {
  const { person } = browser;
  const here = `/invitation?token=${encodeURIComponent(token)}`;
  const needsAccount = !person && !invitation.hasAccount;
  const isForOther = person && person.email.toLowerCase() !== invitation.email.toLowerCase();
  return (
    <SiteLayout title={`Join ${invitation.workspaceName}`} width="narrow">
      <h1>
        Join <bdi>{invitation.workspaceName}</bdi>
      </h1>
      <p>
        <bdi>{invitation.invitedBy}</bdi> invited <strong>{invitation.email}</strong> to join as{' '}
        {/^[aeio]/.test(invitation.role) ? 'an' : 'a'} {invitation.role}.
      </p>
      <Alert message={problem} />
      {!person && invitation.hasAccount ? (
        <p>
          <a class="button full" href={`/sign-in?next=${encodeURIComponent(here)}`}>
            Sign in to join
          </a>
        </p>
      ) : isForOther ? (
        <SiteForm action="/sign-out" browser={browser} class="card">
          <p>
            You're signed in as {person.email}. Sign out, then open the link again as {invitation.email}.
          </p>
          <button type="submit" class="full">
            Sign out
          </button>
        </SiteForm>
      ) : (
        <SiteForm action="/invitation" browser={browser} class="card" of={{ token }}>
          {needsAccount ? (
            <>
              <Field
                name="name"
                label="Your name"
                value={name}
                autocomplete="name"
                maxlength={100}
                isFocused
                problem={fieldProblems.name}
              />
              <NewPasswordField name="password" label="Password" problem={fieldProblems.password} />
            </>
          ) : (
            <p>You're signed in as {person?.email}.</p>
          )}
          <button type="submit" class="full">
            Join
          </button>
        </SiteForm>
      )}
    </SiteLayout>
  );
}
