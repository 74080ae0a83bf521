import { Hono } from 'hono';
import { readBrowser, readSessionHash } from '../../../accounts/browser-sessions/browser-session.ts';
import { openLiveSocket } from '../../../events/live/live-socket.ts';
import type { HttpEnv } from '../../../kernel/http/http.ts';
import { sendPage } from '../../server/page-response.ts';
import { createPageRoutes } from '../../server/page-routes.tsx';
import { accountPages } from '../account/account-pages.ts';
import { verifyEmailPages } from '../account/verify-email.tsx';
import { createFileRoutes } from '../files/file-routes.ts';
import { unsubscribePages } from '../inbox/unsubscribe.tsx';
import { operatorPages } from '../operator/operator.tsx';
import { ownAccountPages } from '../own-account/own-account.tsx';
import { referencePages } from '../reference/reference.tsx';
import { csvFiles, forms, screens } from '../screens.ts';
import { visitorPages } from '../sharing/visitor-pages.tsx';
import { workspacePages } from '../workspaces/workspaces.tsx';
import { showDevOutbox } from './dev-outbox.tsx';
import { checkHealth } from './health.ts';
import { LandingPage } from './landing.tsx';
import { OfflinePage } from './offline.tsx';

export const sitePages = new Hono<HttpEnv>();

sitePages.get('/', async (c) => {
  // Doesn't set a cookie for visitors who have none.
  const isSignedIn = readSessionHash(c) !== null && (await readBrowser(c)).person !== null;
  return sendPage(c, <LandingPage origin={c.get('scope').origin} isSignedIn={isSignedIn} />);
});
sitePages.get('/health', checkHealth);
sitePages.get('/offline', (c) => sendPage(c, <OfflinePage />));
sitePages.route('/', referencePages);
/** Browsers may prefetch any page under /app, because GET requests change nothing. */
sitePages.get('/speculation-rules.json', (c) => {
  c.header('Cache-Control', 'public, max-age=3600');
  return c.body(JSON.stringify(speculationRules), 200, {
    'Content-Type': 'application/speculationrules+json',
  });
});
sitePages.get('/dev/outbox', showDevOutbox);
sitePages.route('/', operatorPages);
sitePages.route('/', accountPages);
sitePages.route('/', ownAccountPages);
sitePages.route('/', verifyEmailPages);
sitePages.route('/', unsubscribePages);
sitePages.route('/', visitorPages);
sitePages.route('/', workspacePages);
sitePages.get('/app/:workspace/live', openLiveSocket);
sitePages.route('/', createFileRoutes(screens));
sitePages.route('/', createPageRoutes(screens, forms, csvFiles));

const speculationRules = {
  prefetch: [
    {
      where: {
        and: [{ href_matches: '/app/*' }, { not: { selector_matches: '[data-no-prefetch], [data-pick]' } }],
      },
      eagerness: 'moderate',
    },
  ],
};
