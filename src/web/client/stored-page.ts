import { isStoredPage } from './connection-banner.ts';
import { getSignedInPerson } from './recent-tasks.ts';
import { forgetStoredPages, WORKER_PATH, WORKER_SCOPE } from './stored-pages.ts';
import { showToast } from './toast.ts';

const READER_KEY = 'edgework:reader';

export function enableStoredPages() {
  if (isStoredPage()) makeReadOnly();
  void startServiceWorker();
}

/** Several people can share a browser. */
async function startServiceWorker() {
  try {
    if (localStorage.getItem(READER_KEY) !== getSignedInPerson()) {
      await forgetStoredPages();
      localStorage.setItem(READER_KEY, getSignedInPerson());
    }
    await navigator.serviceWorker?.register(WORKER_PATH, { scope: WORKER_SCOPE });
  } catch {
    // Without storage or a service worker, no pages are stored.
  }
}

function makeReadOnly() {
  const controls = document.querySelectorAll<HTMLButtonElement>(
    ':is(main, .top-bar, .sidebar, .bottom-bar) :is(button, input, select, textarea)',
  );
  for (const control of controls) control.disabled = true;
  // Keyboard shortcuts and scripts submit forms, too.
  addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      showToast("You can't change anything while you're offline.", { isProblem: true });
    },
    { capture: true },
  );
  document.addEventListener('edgework:reached', () => location.reload(), { once: true });
  document.dispatchEvent(new CustomEvent('edgework:lost'));
}
