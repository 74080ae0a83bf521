import { getConnectionBanner, getLostText } from './connection-banner.ts';
import { Retry } from './retry.ts';

const LATER_MS = 5_000;
const RETRY_MS_MAX = 5_000;

let isLoading = false;

/** Loads drafts and the connection banner on first use, after a while, or when the connection is lost. */
export function loadLater() {
  const start = () => void load();
  addEventListener('pointerdown', start, { once: true });
  addEventListener('keydown', start, { once: true });
  addEventListener('offline', start, { once: true });
  document.addEventListener('edgework:lost', loadAndTell, { once: true });
  setTimeout(start, sessionStorage.length || !navigator.onLine ? 0 : LATER_MS);
}

/** Repeats the event that the module missed. */
async function loadAndTell() {
  if (isLoading) return;
  await load();
  document.dispatchEvent(new CustomEvent('edgework:lost'));
}

async function load() {
  if (isLoading) return;
  isLoading = true;
  const address = document.body.dataset.later as string;
  const retry = new Retry(RETRY_MS_MAX);
  // Some browsers cache a failed import, so each retry uses another address.
  for (let from = address, tries = 1; ; from = `${address}?${tries}`, tries += 1) {
    try {
      return await import(from);
    } catch {
      getConnectionBanner().textContent = getLostText();
      await retry.wait();
    }
  }
}
