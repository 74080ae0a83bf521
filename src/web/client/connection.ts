import { getConnectionBanner, getLostText } from './connection-banner.ts';
import { announceReached, Retry } from './retry.ts';

const RETRY_MS_MAX = 15_000;
/** Every deployment closes the sockets for a moment, which is not worth a message. */
const QUIET_MS = 1_500;
const SHOWN_MS = 4_000;

let isLost = false;
let isProbing = false;
let quiet: ReturnType<typeof setTimeout> | undefined;
/** A link that was held while offline and is now being followed. */
let followed: HTMLAnchorElement | null = null;

export function watchConnection() {
  const banner = getConnectionBanner();
  const show = (text: string) => {
    if (banner.textContent !== text) banner.textContent = text;
  };

  const lose = () => {
    clearTimeout(quiet);
    isLost = true;
    show(getLostText());
    void probeUntilReached();
  };
  const find = () => {
    clearTimeout(quiet);
    if (!isLost) return;
    isLost = false;
    show('Back online.');
    quiet = setTimeout(() => show(''), SHOWN_MS);
    document.dispatchEvent(new CustomEvent('edgework:stale'));
  };
  addEventListener('offline', lose);
  document.addEventListener('edgework:lost', () => {
    if (isLost || !navigator.onLine) return lose();
    clearTimeout(quiet);
    quiet = setTimeout(async () => (await isReached()) || lose(), QUIET_MS);
  });
  document.addEventListener('edgework:reached', find);
  document.addEventListener('click', (event) => holdLink(event, show), { capture: true });
  // The connection may already be lost when this module loads.
  if (!navigator.onLine || banner.textContent) lose();
}

async function isReached(): Promise<boolean> {
  const answer = await fetch('/speculation-rules.json', { cache: 'no-store' }).catch(() => null);
  return answer?.ok === true;
}

async function probeUntilReached() {
  if (isProbing) return;
  isProbing = true;
  const retry = new Retry(RETRY_MS_MAX);
  while (isLost && !(await isReached())) await retry.wait();
  isProbing = false;
  if (isLost) announceReached();
}

/** While offline, prevents the browser's error page from replacing this page and unsaved input. */
function holdLink(event: MouseEvent, show: (text: string) => void) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link === followed || (!isLost && navigator.onLine)) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || link.target === '_blank') return;
  if (link.origin !== location.origin || link.getAttribute('href')?.startsWith('#')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void isReached().then((isThere) => {
    if (!isThere) return show("You're offline. The page will open when you're back online.");
    announceReached();
    followed = link;
    link.click();
    followed = null;
  });
}
