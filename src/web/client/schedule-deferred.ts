import { Backoff } from './backoff.ts';
import { getConnectionBanner, getConnectionLostText, isStoredPage } from './connection-banner.ts';

const LOAD_DELAY_MS = 5_000;
const RETRY_DELAY_MS_MAX = 5_000;

let isLoading = false;

/** Loads drafts, timers and the connection banner on interaction, after a delay, or when the connection is lost. */
export function scheduleDeferredModule() {
  const start = () => void loadDeferredModule();
  addEventListener('pointerdown', start, { once: true });
  addEventListener('keydown', start, { once: true });
  addEventListener('offline', start, { once: true });
  document.addEventListener('edgework:lost', loadAndRepeatLostEvent, { once: true });
  const isNeededNow = sessionStorage.length > 0 || !navigator.onLine || isStoredPage();
  setTimeout(start, isNeededNow ? 0 : LOAD_DELAY_MS);
}

async function loadAndRepeatLostEvent() {
  if (isLoading) return;
  await loadDeferredModule();
  document.dispatchEvent(new CustomEvent('edgework:lost'));
}

async function loadDeferredModule() {
  if (isLoading) return;
  isLoading = true;
  const address = document.body.dataset.deferredModule as string;
  const retry = new Backoff(RETRY_DELAY_MS_MAX);
  // Some browsers cache a failed import, so each retry uses another URL.
  for (let from = address, tries = 1; ; from = `${address}?${tries}`, tries += 1) {
    try {
      return await import(from);
    } catch {
      getConnectionBanner().textContent = getConnectionLostText();
      await retry.wait();
    }
  }
}
