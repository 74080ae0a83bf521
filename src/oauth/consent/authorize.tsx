import { readBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { hashSecret, randomSecret } from '../../kernel/secrets/tokens.ts';
import { listOwnWorkspaces } from '../../workspaces/directory/own-workspaces.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { answerConsent } from './consent.tsx';
import { deleteOlderRequests, insertRequest } from './requests.queries.ts';

const REQUEST_MS = 10 * 60_000;
const REQUESTS_A_BROWSER_MAX = 10;

/** The authorization endpoint (RFC 6749 section 3.1): asks whoever is signed in, every time. */
export async function authorize(c: HttpContext): Promise<Response> {
  const scope = c.get('scope');
  const url = new URL(c.req.url);
  const asked = await readAuthorizationRequest(scope, url.searchParams);
  const browser = await readBrowser(c);
  const { person } = browser;
  if (!person) return c.redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`, 303);

  const request = randomSecret();
  const row = {
    client_id: asked.client.id,
    client_name: asked.client.name,
    redirect_uri: asked.redirectUri,
    challenge: asked.challenge,
    scopes: asked.scopes.join(' '),
    state: asked.state,
    resource: asked.resource,
  };
  const ids = { idHash: hashSecret(request), sessionHash: browser.idHash };
  const [workspaces] = await Promise.all([
    listOwnWorkspaces(scope, person.id),
    scope.directory.batch([
      insertRequest(ids, row, scope.now + REQUEST_MS, scope.now),
      deleteOlderRequests(ids.sessionHash, REQUESTS_A_BROWSER_MAX),
    ]),
  ]);
  return answerConsent(c, { browser: { ...browser, person }, request, asked: row, workspaces });
}
