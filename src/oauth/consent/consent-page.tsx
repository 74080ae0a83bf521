import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { parseKnownScopes } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { Alert } from '../../web/components/field.tsx';
import { SiteForm } from '../../web/components/site-form.tsx';
import { ErrorPage } from '../../web/server/error-page.tsx';
import { SiteLayout } from '../../web/server/layout.tsx';
import { sendPage } from '../../web/server/page-response.ts';
import type { OwnWorkspace } from '../../workspaces/directory/own-workspaces.ts';
import type { OAuthError } from '../protocol/oauth-error.ts';
import { describeRedirect } from '../protocol/redirect-uri.ts';
import { isWriteScope, scopeDescriptions } from '../protocol/scopes.ts';
import type { ConsentRequestRow } from './consent-requests.queries.ts';

interface ConsentProps {
  browser: SignedInBrowser;
  /** The id of the stored request, which only the same browser can use. */
  request: string;
  consentRequest: ConsentRequestRow;
  owner: string | null;
  workspaces: readonly OwnWorkspace[];
  problem?: string;
}

/** Sets no `form-action`, because the form redirects to the client's site. */
export function sendConsentPage(c: HttpContext, props: ConsentProps): Promise<Response> {
  return sendPage(c, <ConsentPage {...props} />, props.problem ? 400 : 200, { hasExternalRedirect: true });
}

export function sendConsentExpiredPage(c: HttpContext): Promise<Response> {
  const message =
    'You have already responded to this request, or it is more than 10 minutes old. Start again from the app.';
  return sendPage(c, <ErrorPage title="This request has expired" message={message} />, 400);
}

export function sendOAuthErrorPage(c: HttpContext, error: OAuthError): Promise<Response> {
  const status = error.status === 429 || error.status === 403 || error.status === 500 ? error.status : 400;
  const page = (
    <SiteLayout title="This app can't be connected" width="narrow">
      <h1>This app can't be connected</h1>
      <p>The app sent an invalid request. Nothing was shared with it.</p>
      <p class="alert" role="alert">
        <code>{error.code}</code> {error.message}
      </p>
    </SiteLayout>
  );
  return sendPage(c, page, status);
}

function ConsentPage({ browser, request, consentRequest, owner, workspaces, problem }: ConsentProps) {
  const scopes = parseKnownScopes(consentRequest.scopes);
  const { place, isThisDevice } = describeRedirect(consentRequest.redirect_uri);
  return (
    <SiteLayout title="Connect an app" width="narrow">
      <h1>
        Connect <bdi class="client">{consentRequest.client_name}</bdi>?
      </h1>
      <p class="note">
        This app wants to act on behalf of <strong>{browser.person.email}</strong>. Edgework hasn't verified
        the app.
      </p>
      <Alert message={problem} />
      <SiteForm action="/api/oauth/authorize" browser={browser} class="card consent" of={{ request }}>
        <dl class="detail-list">
          {owner === null ? null : (
            <div>
              <dt>Registered by</dt>
              <dd>
                <strong class="wrap-anywhere">{owner}</strong>
              </dd>
            </div>
          )}
          <div>
            <dt>Redirects to</dt>
            <dd>
              <code>{place}</code>
              {isThisDevice ? ' (an app on this device)' : null}
            </dd>
          </div>
          {consentRequest.client_id.startsWith('https:') ? (
            <div>
              <dt>App details</dt>
              <dd>
                <code>{consentRequest.client_id}</code>
              </dd>
            </div>
          ) : null}
        </dl>
        <WorkspaceField workspaces={workspaces} />
        <fieldset>
          <legend>This app will be able to</legend>
          <ul class="scopes">
            {scopes.map((scope) => (
              <li>
                {isWriteScope(scope) ? (
                  <label class="check">
                    <input type="checkbox" name="scope" value={scope} checked />
                    <span>
                      {scopeDescriptions[scope]} <code>{scope}</code>
                    </span>
                  </label>
                ) : (
                  <p class="check">
                    <span class="check-mark" aria-hidden="true" />
                    <span>
                      {scopeDescriptions[scope]} <code>{scope}</code>
                    </span>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </fieldset>
        <div class="actions">
          <button type="submit" name="decision" value="approve">
            Allow
          </button>
          <button type="submit" name="decision" value="refuse" class="plain">
            Cancel
          </button>
        </div>
      </SiteForm>
      <p class="hint">
        Access expires after 30 days. You can revoke it at any time under{' '}
        <a href="/connected-apps">Connected apps</a>.
      </p>
    </SiteLayout>
  );
}

function WorkspaceField({ workspaces }: { workspaces: readonly OwnWorkspace[] }) {
  const [only, ...others] = workspaces;
  if (!only) return <Alert message="You don't belong to a workspace yet, so there is nothing to connect." />;
  if (others.length === 0) {
    return (
      <dl class="detail-list">
        <div>
          <dt>Workspace</dt>
          <dd>
            <input type="hidden" name="workspace" value={only.id} />
            <bdi>{only.name}</bdi>
          </dd>
        </div>
      </dl>
    );
  }
  return (
    <div class="field">
      <label for="workspace">Workspace</label>
      <select id="workspace" name="workspace" required>
        {workspaces.map(({ id, name }) => (
          <option value={id}>{name}</option>
        ))}
      </select>
    </div>
  );
}
