import type { PropsWithChildren } from 'hono/jsx';
import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { Icon } from '../components/icon.tsx';
import { SiteForm } from '../components/site-form.tsx';
import { assets } from '../page-model/assets.ts';

interface HtmlDocumentProps {
  title: string;
  scripts?: readonly string[];
  hasCommonStyles?: boolean | undefined;
  /** A `screen` fills the window, and a `site` page scrolls like a document. */
  kind: 'screen' | 'site';
  later?: string | undefined;
  hasTaskPanel?: boolean | undefined;
  isProblem?: boolean | undefined;
}

export function HtmlDocument({
  title,
  scripts = [],
  hasCommonStyles = false,
  kind,
  later,
  hasTaskPanel = false,
  isProblem = false,
  children,
}: PropsWithChildren<HtmlDocumentProps>) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={assets.appIcon} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={assets.touchIcon} />
        <link rel="manifest" href={assets.manifest} />
        <link rel="stylesheet" href={assets.common} />
        {hasCommonStyles ? null : <link rel="stylesheet" href={assets.pages} />}
        {scripts.map((address) => (
          <script type="module" src={address} />
        ))}
      </head>
      <body
        class={isProblem ? `${kind} error-page` : kind}
        data-deferred-module={later}
        data-panel-module={hasTaskPanel ? assets.taskPanel : undefined}
        data-panel-styles={hasTaskPanel && hasCommonStyles ? assets.pages : undefined}
      >
        <a class="skip" href="#content">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  );
}

interface SiteLayoutProps {
  title: string;
  browser?: SignedInBrowser | undefined;
  /** `public` offers sign-in, `member` links to the app, and `bare` has no links. */
  nav?: 'public' | 'member' | 'bare';
  /** Use `narrow` for a single form, and `full` for text with a table of contents. */
  width?: 'narrow' | 'wide' | 'full';
  scripts?: readonly string[];
}

export function SiteLayout({
  title,
  browser,
  nav = 'bare',
  width = 'wide',
  scripts = [],
  children,
}: PropsWithChildren<SiteLayoutProps>) {
  // The navigation for signed-in people doesn't fit on a narrow page.
  const usedWidth = browser && width === 'narrow' ? 'wide' : width;
  return (
    <HtmlDocument title={title} scripts={scripts} kind="site">
      <header class={`site-head ${usedWidth}`}>
        <BrandLink href={browser ? '/app' : '/'} />
        {browser ? (
          <PersonNavigation browser={browser} />
        ) : nav === 'bare' ? null : (
          <PublicNavigation isSignedIn={nav === 'member'} />
        )}
      </header>
      <main id="content" class={usedWidth}>
        {children}
      </main>
    </HtmlDocument>
  );
}

function BrandLink({ href }: { href: string }) {
  return (
    <a class="brand" href={href}>
      <span class="mark" aria-hidden="true" />
      Edgework
    </a>
  );
}

function PublicNavigation({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <nav aria-label="Account">
      <a href="/docs">Docs</a>
      {isSignedIn ? (
        <a href="/app">Open the app</a>
      ) : (
        <>
          <a href="/sign-in">Sign in</a>
          <a href="/sign-up">Sign up</a>
        </>
      )}
    </nav>
  );
}

function PersonNavigation({ browser }: { browser: SignedInBrowser }) {
  return (
    <nav aria-label="Account">
      <a href="/app">Open the app</a>
      <a href="/account">Account</a>
      <a href="/connected-apps">Connected apps</a>
      <SignOutForm browser={browser} />
    </nav>
  );
}

export function SignOutForm({ browser }: { browser: SignedInBrowser }) {
  return (
    <SiteForm action="/sign-out" browser={browser} class="sign-out">
      <button type="submit" class="quiet" title={`Signed in as ${browser.person.email}`}>
        <Icon name="log-out" />
        Sign out
      </button>
    </SiteForm>
  );
}
