import { Hono } from 'hono';
import { readBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { listOwnWorkspaces } from '../../../workspaces/directory/own-workspaces.ts';
import { LetterTile } from '../../components/letter-tile.tsx';
import { AccountLayout } from '../../server/account-layout.tsx';
import { SiteLayout } from '../../server/layout.tsx';
import { sendPage } from '../../server/page-response.ts';
import { NewWorkspaceForm } from '../own-account/new-workspace.view.tsx';

export const workspacePages = new Hono<HttpEnv>();

workspacePages.get('/app', async (c) => {
  c.set('route', 'GET /app');
  const loaded = await loadWorkspacesOrRedirect(c, '/app');
  if (loaded instanceof Response) return loaded;
  const [first] = loaded.workspaces;
  if (first) return c.redirect(`/app/${first.id}`, 303);
  return sendPage(
    c,
    <SiteLayout title="No workspace" browser={loaded.browser} width="narrow">
      <h1>No workspace</h1>
      <p>You're not in a workspace. Ask a colleague to invite you, or create your own.</p>
      <NewWorkspaceForm browser={loaded.browser} />
    </SiteLayout>,
  );
});

workspacePages.get('/app/workspaces', async (c) => {
  c.set('route', 'GET /app/workspaces');
  const loaded = await loadWorkspacesOrRedirect(c, '/app/workspaces');
  if (loaded instanceof Response) return loaded;
  return sendPage(
    c,
    <AccountLayout title="Workspaces" browser={loaded.browser} here="/app/workspaces">
      <ul class="plain-list card">
        {loaded.workspaces.map(({ id, name }) => (
          <li>
            <a href={`/app/${id}`}>
              <LetterTile name={name} of={id} />
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <NewWorkspaceForm browser={loaded.browser} />
    </AccountLayout>,
  );
});

async function loadWorkspacesOrRedirect(c: HttpContext, address: string) {
  const browser = await readBrowser(c);
  const { person } = browser;
  if (!person) return c.redirect(`/sign-in?next=${encodeURIComponent(address)}`, 303);
  const workspaces = await listOwnWorkspaces(c.get('scope'), person.id);
  return { browser: { ...browser, person }, workspaces };
}
