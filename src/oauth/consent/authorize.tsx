import { createFactory } from 'hono/factory';
import { readBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { HttpEnv } from '../../kernel/http/http.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import { listOwnWorkspaces } from '../../workspaces/directory/own-workspaces.ts';
import { findAppOwner } from '../clients/authorized-people.queries.ts';
import { validateParameters } from '../protocol/parameters.ts';
import { readAuthorizationRequest, redirectParameters } from './authorization-request.ts';
import { sendConsentPage } from './consent-page.tsx';
import { deleteOlderConsentRequests, insertConsentRequest } from './consent-requests.queries.ts';

const REQUEST_LIFETIME_MS = 10 * 60_000;
const REQUESTS_PER_BROWSER_MAX = 10;

/** Handles the authorization endpoint (RFC 6749 §3.1), which asks for consent every time. */
export const authorizeHandlers = createFactory<HttpEnv>().createHandlers(
  validateParameters('query', redirectParameters),
  async (c) => {
    const scope = c.get('scope');
    const authorization = await readAuthorizationRequest(scope, c.req.valid('query'));
    const browser = await readBrowser(c);
    const { person } = browser;
    if (!person) {
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(`/sign-in?next=${encodeURIComponent(pathname + search)}`, 303);
    }

    const request = createSecret();
    const row = {
      client_id: authorization.client.id,
      client_name: authorization.client.name,
      redirect_uri: authorization.redirectUri,
      challenge: authorization.challenge,
      scopes: authorization.scopes.join(' '),
      state: authorization.state,
      resource: authorization.resource,
    };
    const ids = { idHash: hashSecret(request), sessionHash: browser.idHash };
    const [workspaces, [owner]] = await Promise.all([
      listOwnWorkspaces(scope, person.id),
      scope.directory.batch([
        findAppOwner(authorization.client.id),
        insertConsentRequest(ids, row, scope.now + REQUEST_LIFETIME_MS, scope.now),
        deleteOlderConsentRequests(ids.sessionHash, REQUESTS_PER_BROWSER_MAX),
      ]),
    ]);
    return sendConsentPage(c, {
      browser: { ...browser, person },
      request,
      consentRequest: row,
      owner: owner?.email ?? null,
      workspaces,
    });
  },
);
