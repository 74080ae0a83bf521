import { readBrowser, signOutBrowser } from '../../browser-sessions/browser-session.ts';
import type { HttpContext } from '../../kernel/http.ts';
import { readPageForm } from '../../web/page-form.ts';

/** Ends the browser's session. API keys and apps stay as they are. */
export async function signOut(c: HttpContext): Promise<Response> {
  const browser = await readBrowser(c);
  await readPageForm(c, browser);
  await signOutBrowser(c, browser);
  return c.redirect('/sign-in', 303);
}
