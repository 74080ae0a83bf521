import { SiteLayout } from '../../server/layout.tsx';

/** The service worker shows this page offline, and adds links to the pages that the browser has stored. */
export function OfflinePage() {
  return (
    <SiteLayout title="You're offline" width="narrow">
      <h1>You're offline</h1>
      <p>This page isn't stored on this device. It opens when you're back online.</p>
      <p>
        <a class="button plain" href="/app">
          Go to My work
        </a>
      </p>
      <h2>Stored pages</h2>
      <ul id="stored-pages" />
    </SiteLayout>
  );
}
