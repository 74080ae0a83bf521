import './app.ts';

const WORKER_PATH = '/service-worker.js';
const WORKER_SCOPE = '/app/';

class RefusedError extends Error {}

const messages = {
  unsupported: "This browser doesn't support push notifications.",
  unsupportedOnApple:
    'On an iPhone or iPad, first add Edgework to your Home Screen, open it there, and turn on notifications.',
  denied:
    "This browser blocks notifications from Edgework. Allow them in the browser's settings for this site, then try again.",
  dismissed: 'You closed the question without an answer. Try again, and choose Allow.',
  unreachable:
    "This browser couldn't connect to its push service. Check your connection and the browser's settings, then try again.",
} as const;

const findPanel = () => document.getElementById('push');

function showMessage(text: string) {
  const message = document.getElementById('push-message');
  if (message) message.textContent = text;
}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** The panel is replaced after each form, so its button is shown again. */
function showPanel() {
  const panel = findPanel();
  const button = panel?.querySelector<HTMLButtonElement>('[data-push="on"]');
  if (button) button.hidden = false;
  if (panel?.dataset.on === 'true' && isSupported() && Notification.permission === 'denied') {
    showMessage(messages.denied);
  }
}

async function turnOn(button: HTMLButtonElement) {
  const form = button.closest('form');
  if (!form || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  showMessage('');
  try {
    const { endpoint, keys = {} } = (await subscribe()).toJSON();
    for (const [name, value] of Object.entries({ endpoint, ...keys })) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value ?? '';
    }
    form.requestSubmit();
  } catch (error) {
    showMessage(error instanceof RefusedError ? error.message : messages.unreachable);
  } finally {
    button.ariaBusy = null;
  }
}

async function subscribe(): Promise<PushSubscription> {
  if (!isSupported()) {
    const isApple = /iPhone|iPad/.test(navigator.userAgent);
    throw new RefusedError(isApple ? messages.unsupportedOnApple : messages.unsupported);
  }
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    throw new RefusedError(permission === 'denied' ? messages.denied : messages.dismissed);
  }
  const serverKey = decodeBase64url(findPanel()?.dataset.serverKey ?? '');
  await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && hasKey(known, serverKey)) return known;
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey });
}

function hasKey({ options }: PushSubscription, serverKey: Uint8Array): boolean {
  const key = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return key.length === serverKey.length && key.every((byte, index) => byte === serverKey[index]);
}

function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
}

/** The server stops sending even if this fails. */
async function unsubscribe() {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER_SCOPE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-push="on"]') : null;
  if (button) void turnOn(button);
});
document.addEventListener('submit', ({ target }) => {
  if (target instanceof Element && target.id === 'push-off') void unsubscribe().catch(() => undefined);
});
document.addEventListener('edgework:morphed', showPanel);
showPanel();
