import { type NotificationEvent, type PushEvent, worker } from './worker-scope.ts';

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

export async function showPush(event: PushEvent) {
  const { title, body, path, tag, id } = readPayload(event);
  await worker.registration.showNotification(title, { body, tag, data: { path, id } });
}

export async function openNotification({ notification }: NotificationEvent) {
  notification.close();
  await openPage({ ...unreadable, ...(notification.data as Partial<Payload> | null) });
}
