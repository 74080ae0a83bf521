import type * as z from 'zod';
import type { Browser } from '../../../accounts/browser-sessions/browser-session.ts';
import { listBrowsers } from '../../../accounts/own/browsers.ts';
import { getProfile } from '../../../accounts/own/change-profile.ts';
import type { browserListOutput, profileOutput } from '../../../accounts/own/own-account.schema.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { ownAppsOutput } from '../../../oauth/own-apps/own-apps.schema.ts';
import { listOwnApps } from '../../../oauth/own-apps/own-apps.ts';
import { listOwnWorkspaces } from '../../../workspaces/directory/own-workspaces.ts';
import { ACCOUNT_DATA_PATH } from './account-forms.ts';
import { redirectToSignIn, runAccountOperation } from './run-account-operation.ts';

/** What Edgework stores about a person outside workspaces. Workspaces have exports of their own. */
export async function sendAccountData(c: HttpContext, browser: Browser): Promise<Response> {
  const { person } = browser;
  if (!person) return redirectToSignIn(c, ACCOUNT_DATA_PATH);
  const [profile, { browsers }, { apps }, workspaces] = await Promise.all([
    runAccountOperation(c, browser, getProfile, {}) as Promise<z.output<typeof profileOutput>>,
    runAccountOperation(c, browser, listBrowsers, {}) as Promise<z.output<typeof browserListOutput>>,
    runAccountOperation(c, browser, listOwnApps, {}) as Promise<z.output<typeof ownAppsOutput>>,
    listOwnWorkspaces(c.get('scope'), person.id),
  ]);
  const data = {
    account: { id: person.id, ...profile },
    browsers: browsers.map(({ userAgent, signedInAt }) => ({ userAgent, signedInAt })),
    workspaces: workspaces.map(({ id, name, role }) => ({ id, name, role })),
    apps,
  };
  return c.body(JSON.stringify(data, null, 2), 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="edgework-account.json"',
    'Cache-Control': 'no-store',
  });
}
