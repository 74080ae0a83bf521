// Shows push notifications, and pages that were opened before while the server can't be reached.

import { respondToRequest } from './offline-pages.ts';
import { openNotification, showPush } from './push.ts';
import { worker } from './worker-scope.ts';

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => {
  // Without preloading, each page would wait until the service worker has started.
  event.waitUntil(Promise.all([worker.clients.claim(), worker.registration.navigationPreload?.enable()]));
});
worker.addEventListener('fetch', respondToRequest);
worker.addEventListener('push', (event) => event.waitUntil(showPush(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event)));
