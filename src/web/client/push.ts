import './app.ts';
import { forgetPushSession, rememberPushSession, toSubscriptionFields } from './push-session.ts';
import { WORKER_PATH, WORKER_SCOPE } from './stored-pages.ts';

const WORKER_START_MS_MAX = 10_000;

class RefusedError extends Error {}

const messages = {
  unsupported: "This browser doesn't support push notifications.",
  unsupportedOnApple:
    'On an iPhone or iPad, add Edgework to your Home Screen first, and turn on notifications there.',
  denied:
    "This browser blocks notifications from Edgework. Allow them in the browser's settings for this site, then try again.",
  dismissed: "Notifications weren't allowed. Try again, and choose Allow.",
  stopped: 'Push notifications no longer work in this browser. Turn them on again.',
  noWorker: "Push notifications couldn't be set up. Reload the page and try again.",
  unreachable:
    "This browser couldn't connect to its push service. Check your connection and the browser's settings, then try again.",
} as const;

const findPanel = () => document.getElementById('push');

function showMessage(text: string) {
  const message = document.getElementById('push-message');
  if (message) message.textContent = text;
}

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Compares the server's subscription with the browser's. Each form replaces the panel, so this runs again. */
async function showPanel() {
  const panel = findPanel();
  const button = panel?.querySelector<HTMLButtonElement>('[data-push="on"]');
  if (!panel || !button) return;
  const { serverKey = '', endpointHash } = panel.dataset;
  const isOn = endpointHash !== undefined && (await isSubscribed(endpointHash));
  button.hidden = isOn;
  if (isOn) {
    showMessage('');
    rememberPushSession(serverKey);
  } else if (endpointHash === undefined) {
    forgetPushSession();
  } else {
    showMessage(isSupported() && Notification.permission === 'denied' ? messages.denied : messages.stopped);
  }
}

async function isSubscribed(endpointHash: string): Promise<boolean> {
  if (!isSupported() || Notification.permission !== 'granted') return false;
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  const subscription = await registration?.pushManager.getSubscription();
  return !!subscription && (await hashText(subscription.endpoint)) === endpointHash;
}

async function hashText(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function turnOn(button: HTMLButtonElement) {
  const { form } = button;
  if (!form || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  showMessage('');
  try {
    const { serverKey = '' } = findPanel()?.dataset ?? {};
    const subscription = await subscribe(serverKey);
    for (const [name, value] of Object.entries(toSubscriptionFields(subscription, serverKey))) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    }
    form.requestSubmit();
  } catch (error) {
    showMessage(error instanceof RefusedError ? error.message : messages.unreachable);
  } finally {
    button.ariaBusy = null;
  }
}

/** Ends an earlier subscription, which may no longer work or belong to someone else. */
async function subscribe(serverKey: string): Promise<PushSubscription> {
  if (!isSupported()) {
    // Only browsers on an iPhone or iPad have this property.
    throw new RefusedError('standalone' in navigator ? messages.unsupportedOnApple : messages.unsupported);
  }
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    throw new RefusedError(permission === 'denied' ? messages.denied : messages.dismissed);
  }
  const { pushManager } = await startWorker();
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: decodeBase64url(serverKey),
  });
}

async function startWorker(): Promise<ServiceWorkerRegistration> {
  const rejectLater = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new RefusedError(messages.noWorker)), WORKER_START_MS_MAX);
  });
  try {
    await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  } catch {
    throw new RefusedError(messages.noWorker);
  }
  return Promise.race([navigator.serviceWorker.ready, rejectLater]);
}

function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-push="on"]') : null;
  if (button) void turnOn(button);
});
document.addEventListener('edgework:morphed', () => void showPanel());
void showPanel();
