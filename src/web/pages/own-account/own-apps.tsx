import type * as z from 'zod';
import type { Browser, SignedInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { ownAppsOutput } from '../../../oauth/own-apps/own-apps.schema.ts';
import { listOwnApps } from '../../../oauth/own-apps/own-apps.ts';
import type { RejectedForm } from '../../page-model/page.ts';
import { type PageStatus, sendPage } from '../../server/page-response.ts';
import { OWN_APPS_PATH, ownAppMessages } from './account-forms.ts';
import { OwnAppsPage } from './own-apps.view.tsx';
import { redirectToSignIn, runAccountOperation } from './run-account-operation.ts';

export async function sendOwnAppsPage(
  c: HttpContext,
  browser: Browser,
  rejected: RejectedForm | null = null,
  status: PageStatus = 200,
): Promise<Response> {
  const { person } = browser;
  if (!person) return redirectToSignIn(c, OWN_APPS_PATH);
  const signedIn: SignedInBrowser = { ...browser, person };
  const { apps } = (await runAccountOperation(c, signedIn, listOwnApps, {})) as z.output<
    typeof ownAppsOutput
  >;
  const requested = c.req.query('done') ?? '';
  const done = Object.hasOwn(ownAppMessages, requested)
    ? ownAppMessages[requested as keyof typeof ownAppMessages]
    : null;
  return sendPage(
    c,
    <OwnAppsPage
      browser={signedIn}
      apps={apps}
      done={rejected === null ? done : null}
      rejected={rejected}
      origin={c.get('scope').origin}
    />,
    status,
  );
}
