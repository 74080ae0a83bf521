import type * as z from 'zod';
import type { SignedInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { scopes } from '../../../kernel/access/access.ts';
import { getDateFormat } from '../../../kernel/dates/date-format.ts';
import type {
  connectedApp,
  connectedAppPage,
  createdApiKey,
} from '../../../oauth/connected-apps/connected-apps.schema.ts';
import type { OwnWorkspace } from '../../../workspaces/directory/own-workspaces.ts';
import { Alert } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import { assets } from '../../page-model/assets.ts';
import type { RejectedForm } from '../../page-model/page.ts';
import { AccountLayout } from '../../server/account-layout.tsx';
import { hasReadOnlyScopes } from './key-form.ts';
import { NewKeyForm, NewKeyNotice } from './new-key.view.tsx';

const KEY_ALREADY_SHOWN_MESSAGE =
  "This key already exists. It's the newest key below. Keys are shown only once, so if you didn't copy it, revoke it and create another.";

type ConnectedApp = z.infer<typeof connectedApp>;

export interface ConnectedAppsPageProps {
  browser: SignedInBrowser;
  workspaces: readonly OwnWorkspace[];
  workspace: OwnWorkspace;
  apps: z.infer<typeof connectedAppPage>;
  created?: z.infer<typeof createdApiKey>;
  /** True if the form was submitted again. Only the first response displays the key. */
  wasShownBefore?: boolean;
  rejected?: RejectedForm;
  now: number;
}

export function ConnectedAppsPage(props: ConnectedAppsPageProps) {
  const { browser, workspaces, workspace, apps, created, wasShownBefore } = props;
  return (
    <AccountLayout
      title="Connected apps"
      browser={browser}
      here="/connected-apps"
      scripts={created ? [assets.app] : []}
    >
      <p class="hint">
        Apps and API keys that act on behalf of <strong class="wrap-anywhere">{browser.person.email}</strong>{' '}
        in <bdi>{workspace.name}</bdi>. If you're building an app, register it under{' '}
        <a href="/account/apps">Your apps</a>.
      </p>
      {workspaces.length > 1 ? <WorkspaceSelectForm workspaces={workspaces} workspace={workspace} /> : null}
      <Alert message={wasShownBefore ? KEY_ALREADY_SHOWN_MESSAGE : undefined} />
      {created ? <NewKeyNotice created={created} /> : null}
      <section aria-labelledby="create">
        <h2 id="create">Create API key</h2>
        <NewKeyForm {...props} />
      </section>
      <section aria-labelledby="list">
        <h2 id="list">API keys and apps</h2>
        <p>
          <a href={`/app/${workspace.id}/changes`}>Changes proposed by apps</a>
        </p>
        {apps.data.length === 0 ? <p class="empty card">No API keys or apps yet.</p> : null}
        <ul class="apps">
          {apps.data.map((app) => (
            <li class={app.status === 'revoked' ? 'card app revoked' : 'card app'}>
              <ConnectedAppItem app={app} browser={browser} workspaceId={workspace.id} />
            </li>
          ))}
        </ul>
        {apps.meta.hasMore ? (
          <p>
            <a
              href={`/connected-apps?workspace=${workspace.id}&offset=${apps.meta.offset + apps.meta.limit}`}
            >
              Older
            </a>
          </p>
        ) : null}
      </section>
    </AccountLayout>
  );
}

function ConnectedAppItem({
  app,
  browser,
  workspaceId,
}: {
  app: ConnectedApp;
  browser: SignedInBrowser;
  workspaceId: string;
}) {
  const isActive = app.status === 'active';
  return (
    <>
      <div class="title">
        <h3>
          <bdi>{app.name}</bdi>
        </h3>
        <span class="badge">{app.kind === 'oauth' ? 'App' : 'API key'}</span>
        {isActive ? null : <span class="badge off">Revoked or expired</span>}
      </div>
      <p class="meta">
        <code>{app.prefix}</code> · Created <UtcDate at={app.createdAt} /> ·{' '}
        {app.lastUsedAt ? (
          <>
            last used <UtcDate at={app.lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
      </p>
      <p class="meta">
        <ConnectedAppAccess app={app} />
        {app.expiresAt ? (
          <>
            {' '}
            · {isActive ? 'expires' : 'expired'} <UtcDate at={app.expiresAt} />
          </>
        ) : null}
      </p>
      <p>
        <a href={`/app/${workspaceId}/apps/${app.id}`}>Changes</a>
      </p>
      {isActive ? (
        <details class="confirmation">
          <summary>Revoke…</summary>
          <SiteForm
            action="/connected-apps/revoke"
            browser={browser}
            of={{ workspace: workspaceId, id: String(app.id) }}
          >
            <p>Access will end immediately. This can't be undone.</p>
            <button type="submit" class="danger">
              Revoke {app.name}
            </button>
          </SiteForm>
        </details>
      ) : null}
    </>
  );
}

function ConnectedAppAccess({ app: { kind, scopes: granted } }: { app: ConnectedApp }) {
  if (kind === 'api_key' && granted.length === scopes.length) return <>Full access</>;
  if (hasReadOnlyScopes(granted)) return <>Read-only</>;
  return (
    <>
      Access to{' '}
      {granted.map((scope, index) => (
        <>
          {index > 0 ? ', ' : null}
          <code>{scope}</code>
        </>
      ))}
    </>
  );
}

function WorkspaceSelectForm({
  workspaces,
  workspace,
}: Pick<ConnectedAppsPageProps, 'workspaces' | 'workspace'>) {
  return (
    <form method="get" action="/connected-apps" class="row choice">
      <div class="field">
        <label for="workspace">Workspace</label>
        <select id="workspace" name="workspace">
          {workspaces.map(({ id, name }) => (
            <option value={id} selected={id === workspace.id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="plain">
        Switch
      </button>
    </form>
  );
}

function UtcDate({ at }: { at: string }) {
  const day = getDateFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));
  return <time datetime={at}>{day}</time>;
}
