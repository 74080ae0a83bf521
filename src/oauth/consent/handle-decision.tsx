import { type Browser, readBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { type OAuthScope, parseKnownScopes } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { createToken, hashSecret } from '../../kernel/secrets/tokens.ts';
import { readPageForm } from '../../web/server/page-form.ts';
import { listOwnWorkspaces, type OwnWorkspace } from '../../workspaces/directory/own-workspaces.ts';
import { findAppOwner, recordAuthorization } from '../clients/authorized-people.queries.ts';
import { keepClientPermanently } from '../clients/clients.queries.ts';
import { isWriteScope } from '../protocol/scopes.ts';
import { CODE_PREFIX } from './authorization-code.ts';
import { buildApprovalLocation, buildErrorLocation, type RedirectTarget } from './authorization-request.ts';
import { findCode, insertCode } from './codes.queries.ts';
import { sendConsentExpiredPage, sendConsentPage } from './consent-page.tsx';
import {
  type ConsentRequestRow,
  consumeConsentRequest,
  findConsentRequest,
} from './consent-requests.queries.ts';

/** RFC 6749 §4.1.2 recommends at most ten minutes. Clients need about a second. */
const CODE_LIFETIME_MS = 60_000;

/**
 * Besides the request's id, the form contains only the person's choices. The request itself was stored when the page
 * was rendered.
 */
export async function handleDecision(c: HttpContext): Promise<Response> {
  const scope = c.get('scope');
  const browser = await readBrowser(c);
  const form = await readPageForm(c, browser);
  const { person } = browser;
  const request = form.get('request') ?? '';
  const [consentRequest] = await scope.directory.batch([
    findConsentRequest(hashSecret(request), browser.idHash, scope.now),
  ]);
  if (!person || !consentRequest) return sendConsentExpiredPage(c);

  if (form.get('decision') !== 'approve') return refuseRequest(c, browser, request, consentRequest);

  const workspaces = await listOwnWorkspaces(scope, person.id);
  const workspace = workspaces.find(({ id }) => id === form.get('workspace'));
  const scopes = workspace ? pickGrantedScopes(consentRequest, form.getAll('scope'), workspace) : [];
  if (!workspace || scopes.length === 0) {
    const problem = workspace
      ? 'Select at least one permission that you can grant in this workspace, or cancel.'
      : 'Choose one of your workspaces.';
    const [owner] = await scope.directory.batch([findAppOwner(consentRequest.client_id)]);
    return sendConsentPage(c, {
      browser: { ...browser, person },
      request,
      consentRequest,
      owner: owner?.email ?? null,
      workspaces,
      problem,
    });
  }
  const code = await approveRequest(scope, browser, request, {
    consentRequest,
    userId: person.id,
    workspace,
    scopes,
  });
  return code === null
    ? sendConsentExpiredPage(c)
    : c.redirect(buildApprovalLocation(scope.origin, toRedirectTarget(consentRequest), code), 303);
}

async function refuseRequest(
  c: HttpContext,
  browser: Browser,
  request: string,
  consentRequest: ConsentRequestRow,
): Promise<Response> {
  const scope = c.get('scope');
  await scope.directory.batch([consumeConsentRequest(hashSecret(request), browser.idHash, scope.now)]);
  const location = buildErrorLocation(
    scope.origin,
    toRedirectTarget(consentRequest),
    'access_denied',
    'The person selected Cancel.',
  );
  return c.redirect(location, 303);
}

async function approveRequest(
  scope: RequestScope,
  { idHash: sessionHash }: Browser,
  request: string,
  grant: {
    consentRequest: ConsentRequestRow;
    userId: string;
    workspace: OwnWorkspace;
    scopes: readonly OAuthScope[];
  },
): Promise<string | null> {
  const { consentRequest, userId, workspace, scopes } = grant;
  const code = createToken(CODE_PREFIX, workspace.cell);
  const ids = { idHash: hashSecret(request), sessionHash };
  const codeHash = hashSecret(code);
  const [, , , , , made] = await scope.directory.batch([
    insertCode(
      ids,
      {
        codeHash,
        scopes: scopes.join(' '),
        userId,
        workspaceId: workspace.id,
        expiresAt: scope.now + CODE_LIFETIME_MS,
        from: describeRequestSource(scope),
      },
      scope.now,
    ),
    consumeConsentRequest(ids.idHash, ids.sessionHash, scope.now),
    keepClientPermanently(consentRequest.client_id),
    ...recordAuthorization(codeHash, workspace.cell),
    findCode(codeHash),
  ]);
  return made ? code : null;
}

function toRedirectTarget({ redirect_uri, state }: ConsentRequestRow): RedirectTarget {
  return { redirectUri: redirect_uri, state };
}

/** The form can remove write scopes, but can't add any. */
function pickGrantedScopes(
  { scopes }: ConsentRequestRow,
  checked: readonly string[],
  workspace: OwnWorkspace,
): readonly OAuthScope[] {
  return parseKnownScopes(scopes).filter(
    (scope) =>
      (!isWriteScope(scope) || checked.includes(scope)) &&
      (scope !== 'audit:read' || getReach(workspace, 'readAudit') === 'all'),
  );
}
