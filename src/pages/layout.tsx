import type { PropsWithChildren } from 'hono/jsx';
import type { Browser, SessionPerson } from '../browser-sessions/browser-session.ts';
import type { HttpContext } from '../kernel/http.ts';

/** A browser in which somebody is signed in. */
export type SignedInBrowser = Browser & { readonly person: SessionPerson };

interface LayoutProps {
  title: string;
  /** The signed-in person; the page shows their name and a sign-out button at the top. */
  browser?: SignedInBrowser | undefined;
  /** `public` offers to sign in; `bare` shows nothing but the form. */
  nav?: 'public' | 'bare';
  /** `narrow` for a single form. */
  width?: 'narrow' | 'wide';
  /** Files of this origin. */
  script?: string;
}

/** The frame of every page. */
export function Layout({
  title,
  browser,
  nav = 'bare',
  width = 'wide',
  script,
  children,
}: PropsWithChildren<LayoutProps>) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/style.css" />
        {script ? <script src={script} defer /> : null}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <a class="brand" href="/">
            <span class="mark" aria-hidden="true" />
            Edgework
          </a>
          {browser ? <PersonNav browser={browser} /> : nav === 'public' ? <PublicNav /> : null}
        </header>
        <main id="content" class={width}>
          {children}
        </main>
      </body>
    </html>
  );
}

function PublicNav() {
  return (
    <nav aria-label="Account">
      <a href="/docs">Docs</a>
      <a href="/sign-in">Sign in</a>
      <a href="/sign-up">Sign up</a>
    </nav>
  );
}

function PersonNav({ browser }: { browser: SignedInBrowser }) {
  return (
    <nav aria-label="Account">
      <a href="/connected-apps">Apps</a>
      <form method="post" action="/sign-out">
        <input type="hidden" name="csrf" value={browser.csrf} />
        <button type="submit" title={browser.person.email}>
          Sign out
        </button>
      </form>
    </nav>
  );
}

type PageStatus = 200 | 400 | 403 | 404 | 429 | 500;

interface PageOptions {
  /** The page loads a script file of this origin. */
  hasScript?: boolean;
  /** The form may lead to another site: browsers apply `form-action` to the redirect after a form. */
  leadsAway?: boolean;
}

function policy({ hasScript = false, leadsAway = false }: PageOptions): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "img-src 'self' data:",
    ...(leadsAway ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Answers a page without inline scripts, frames, foreign resources or caching. */
export async function answerPage(
  c: HttpContext,
  page: unknown,
  status: PageStatus = 200,
  options: PageOptions = {},
): Promise<Response> {
  c.header('Content-Security-Policy', policy(options));
  c.header('Cache-Control', 'no-store');
  // With `no-referrer` a form would be sent with `Origin: null`, which `readPageForm` refuses.
  c.header('Referrer-Policy', 'same-origin');
  return c.html(`<!doctype html>${String(await page)}`, status);
}
