// Shows push notifications, and opens their pages. Doesn't handle requests, so it caches nothing.

/** The part of the worker's scope that is used here. The types of pages and workers contradict each other. */
interface WorkerScope {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly WindowClient[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
}
interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: { opened: number }): void;
}
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends WorkerEvent {
  readonly data: { json(): unknown } | null;
}
interface NotificationEvent extends WorkerEvent {
  readonly notification: Notification;
}

const worker = self as unknown as WorkerScope;

/** As in src/notifications/push/compose-push.ts. */
interface Payload {
  readonly title: string;
  readonly body: string;
  readonly path: string;
  readonly tag: string;
  readonly id?: number;
}

/** Browsers require that every message shows a notification, so an unreadable message shows this one. */
const unreadable: Payload = { title: 'New notification', body: '', path: '/app', tag: 'unreadable' };

function readPayload({ data }: PushEvent): Payload {
  try {
    return { ...unreadable, ...(data?.json() as Partial<Payload>) };
  } catch {
    return unreadable;
  }
}

/**
 * The page then marks the notification as read (src/web/client/push-session.ts). Doesn't replace the page of another
 * window, because someone may be typing there.
 */
async function openPage({ path, id }: Pick<Payload, 'path' | 'id'>) {
  const address = new URL(path.startsWith('/app') ? path : '/app', worker.location.origin);
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => new URL(url).pathname === address.pathname);
  if (id) {
    address.hash = `notification-${id}`;
    shown?.postMessage({ opened: id });
  }
  await (shown ? shown.focus() : worker.clients.openWindow(address.href));
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('push', (event) => {
  const { title, body, path, tag, id } = readPayload(event);
  event.waitUntil(worker.registration.showNotification(title, { body, tag, data: { path, id } }));
});
worker.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(openPage({ ...unreadable, ...(notification.data as Partial<Payload> | null) }));
});
