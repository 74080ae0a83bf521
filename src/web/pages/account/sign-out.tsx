import { readBrowser, signOutBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import { SiteForm } from '../../components/site-form.tsx';
import { SiteLayout } from '../../server/layout.tsx';
import { readPageForm } from '../../server/page-form.ts';
import { sendPage } from '../../server/page-response.ts';

export async function handleSignOut(c: HttpContext): Promise<Response> {
  const browser = await readBrowser(c);
  await readPageForm(c, browser);
  await signOutBrowser(c, browser);
  return c.redirect('/sign-in', 303);
}

/** Asks for confirmation so that following a link doesn't sign anyone out. */
export async function sendSignOutPage(c: HttpContext): Promise<Response> {
  const browser = await readBrowser(c);
  const { person } = browser;
  if (!person) return c.redirect('/sign-in', 303);
  return sendPage(
    c,
    <SiteLayout title="Sign out" width="narrow">
      <h1>Sign out?</h1>
      <p>
        You're signed in as <strong>{person.email}</strong>.
      </p>
      <SiteForm action="/sign-out" browser={browser} class="actions">
        <button type="submit">Sign out</button>
        <a class="button plain" href="/app">
          Cancel
        </a>
      </SiteForm>
    </SiteLayout>,
  );
}
