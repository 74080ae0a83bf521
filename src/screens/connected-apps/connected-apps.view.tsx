import type * as z from 'zod';
import type { SignedInBrowser } from '../../browser-sessions/browser-session.ts';
import type {
  connectedApp,
  connectedAppPage,
  createdApiKey,
} from '../../connected-apps/connected-apps.schema.ts';
import { Alert, Field } from '../../web/components/field.tsx';
import { Layout } from '../../web/layout.tsx';
import { assets } from '../../web/page-model/assets.ts';
import type { OwnWorkspace } from '../../workspaces/own-workspaces.ts';

type App = z.infer<typeof connectedApp>;

export interface AppsPageProps {
  browser: SignedInBrowser;
  workspaces: readonly OwnWorkspace[];
  workspace: OwnWorkspace;
  apps: z.infer<typeof connectedAppPage>;
  /** A key that was just made: only this page ever shows it. */
  created?: z.infer<typeof createdApiKey>;
  problem?: string;
}

export function AppsPage({ browser, workspaces, workspace, apps, created, problem }: AppsPageProps) {
  return (
    <Layout title="Connected apps" browser={browser} scripts={created ? [assets.app] : []}>
      <h1>Connected apps</h1>
      <p class="lead">
        What acts for you in <bdi>{workspace.name}</bdi>.
      </p>
      {workspaces.length > 1 ? <WorkspaceChoice workspaces={workspaces} workspace={workspace} /> : null}
      <Alert message={problem} />
      {created ? <NewKey created={created} /> : null}
      <section aria-labelledby="create">
        <h2 id="create">Create an API key</h2>
        <form method="post" action="/connected-apps" class="card row">
          <input type="hidden" name="csrf" value={browser.csrf} />
          <input type="hidden" name="workspace" value={workspace.id} />
          <Field name="name" label="What will use it?" autocomplete="off" maxlength={100} />
          <button type="submit">Create key</button>
        </form>
        <p class="hint">A key acts with your permissions in this workspace until you revoke it.</p>
      </section>
      <section aria-labelledby="list">
        <h2 id="list">Keys and apps</h2>
        {apps.data.length === 0 ? <p class="empty card">Nothing is connected yet.</p> : null}
        <ul class="apps">
          {apps.data.map((app) => (
            <li class={app.status === 'revoked' ? 'card app revoked' : 'card app'}>
              <AppItem app={app} csrf={browser.csrf} workspaceId={workspace.id} />
            </li>
          ))}
        </ul>
        {apps.meta.hasMore ? (
          <p>
            <a
              href={`/connected-apps?workspace=${workspace.id}&offset=${apps.meta.offset + apps.meta.limit}`}
            >
              Older ones
            </a>
          </p>
        ) : null}
      </section>
    </Layout>
  );
}

function NewKey({ created }: { created: z.infer<typeof createdApiKey> }) {
  return (
    <section class="card fresh" aria-labelledby="fresh">
      <h2 id="fresh">
        Your key for <bdi>{created.name}</bdi>
      </h2>
      <p>
        <label for="key">Copy it now: it is shown this once.</label>
      </p>
      <textarea id="key" class="secret" rows={2} readonly spellcheck={false} autofocus>
        {created.key}
      </textarea>
      <button type="button" data-copy="key" hidden>
        Copy
      </button>
    </section>
  );
}

function AppItem({ app, csrf, workspaceId }: { app: App; csrf: string; workspaceId: string }) {
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
        <code>{app.prefix}</code> · created <Day at={app.createdAt} /> ·{' '}
        {app.lastUsedAt ? (
          <>
            last used <Day at={app.lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
      </p>
      {app.kind === 'oauth' ? <p class="meta">May use {app.scopes.join(', ')}</p> : null}
      {isActive ? (
        <details>
          <summary>Revoke</summary>
          <form method="post" action="/connected-apps/revoke">
            <input type="hidden" name="csrf" value={csrf} />
            <input type="hidden" name="workspace" value={workspaceId} />
            <input type="hidden" name="id" value={String(app.id)} />
            <p>Whatever uses it is refused at once, and it cannot be undone.</p>
            <button type="submit" class="danger">
              Revoke {app.name}
            </button>
          </form>
        </details>
      ) : null}
    </>
  );
}

function WorkspaceChoice({ workspaces, workspace }: Pick<AppsPageProps, 'workspaces' | 'workspace'>) {
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
        Show
      </button>
    </form>
  );
}

function Day({ at }: { at: string }) {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));
  return <time datetime={at}>{day}</time>;
}
