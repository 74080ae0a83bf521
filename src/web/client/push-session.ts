import { getSignedInPerson } from './recent-tasks.ts';
import { getScreenUrl, getWorkspaceBase } from './screen-url.ts';
import { WORKER_SCOPE } from './stored-pages.ts';

const STORAGE_KEY = 'edgework:push';
/** The service worker adds this to the address of the page that a click on a notification opens. */
const OPENED_PATTERN = /^#notification-(\d+)$/;

interface PushSession {
  /** The person who turned on push. Stored because several people can share a browser. */
  readonly person: string;
  /** Differs for each session. */
  readonly csrf: string;
  readonly serverKey: string;
}

/** Keeps push on after the person signs in again, and marks notifications as read that the person opens. */
export function enablePushSession() {
  const id = OPENED_PATTERN.exec(location.hash)?.[1];
  if (id) {
    history.replaceState(history.state, '', location.pathname + location.search);
    markRead(id);
  }
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ opened?: number }>) => {
    if (data.opened) markRead(String(data.opened));
  });
  void renewSubscription().catch(() => undefined);
}

export function rememberPushSession(serverKey: string) {
  store({ person: getSignedInPerson(), csrf: getCsrfToken(), serverKey });
}

export function forgetPushSession() {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage, nothing is remembered.
  }
}

/** The fields of the form that turns on push. */
export function toSubscriptionFields(subscription: PushSubscription, serverKey: string) {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, serverKey, ...keys };
}

/** A subscription ends with its session on the server, but not in the browser. */
async function renewSubscription() {
  const session = readSession();
  if (!session || session.csrf === getCsrfToken()) return;
  if (session.person !== getSignedInPerson() || Notification.permission !== 'granted') {
    forgetPushSession();
    return;
  }
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) {
    forgetPushSession();
    return;
  }
  const response = await postForm('/inbox/push', toSubscriptionFields(subscription, session.serverKey));
  if (response.type === 'opaqueredirect') rememberPushSession(session.serverKey);
  else if (response.status === 400) forgetPushSession();
}

function markRead(id: string) {
  void postForm(`/inbox/${id}/read`, {}).catch(() => undefined);
}

function postForm(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const body = new URLSearchParams({
    csrf: getCsrfToken(),
    once: crypto.randomUUID(),
    back: getScreenUrl(),
    ...fields,
  });
  return fetch(`${getWorkspaceBase()}${path}`, { method: 'POST', body, redirect: 'manual' });
}

const getCsrfToken = () => document.querySelector<HTMLInputElement>('.sign-out [name="csrf"]')?.value ?? '';

function readSession(): PushSession | null {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
  } catch {
    return null;
  }
}

function store(session: PushSession) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(session));
  } catch {
    // Without storage, push ends with the session.
  }
}
