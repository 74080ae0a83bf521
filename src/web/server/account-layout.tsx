import type { PropsWithChildren } from 'hono/jsx';
import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { Icon } from '../components/icon.tsx';
import { accountPages } from '../components/settings-navigation.tsx';
import { Document, SignOut } from './layout.tsx';

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
    <Document title={title} scripts={scripts} kind="screen">
      <nav class="side account-side" aria-label="Account">
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
        <div class="side-end">
          <SignOut browser={browser} />
        </div>
      </nav>
      <main id="content" class="account">
        <header class="head">
          <h1>{title}</h1>
        </header>
        {children}
      </main>
    </Document>
  );
}
