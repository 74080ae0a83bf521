import type { PropsWithChildren } from 'hono/jsx';
import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { Icon } from '../components/icon.tsx';
import { accountPages } from '../components/settings-navigation.tsx';
import { HtmlDocument, SignOutForm } from './layout.tsx';

interface AccountLayoutProps {
  title: string;
  browser: SignedInBrowser;
  here: string;
  scripts?: readonly string[];
}

export function AccountLayout({
  title,
  browser,
  here,
  scripts = [],
  children,
}: PropsWithChildren<AccountLayoutProps>) {
  return (
    <HtmlDocument title={title} scripts={scripts} kind="screen">
      <nav class="sidebar account-sidebar" aria-label="Account">
        <a class="workspace" href="/app">
          <Icon name="chevron-left" />
          <span class="label">Back to the app</span>
        </a>
        <div class="settings-navigation">
          {accountPages.map(({ path, label }) => (
            <a href={path} aria-current={path === here ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </div>
        <div class="sidebar-footer">
          <SignOutForm browser={browser} />
        </div>
      </nav>
      <main id="content" class="account">
        <header class="head">
          <h1>{title}</h1>
        </header>
        {children}
      </main>
    </HtmlDocument>
  );
}
