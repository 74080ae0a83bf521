import { announceServerReached, Backoff } from './backoff.ts';
import { getConnectionBanner, getConnectionLostText } from './connection-banner.ts';
import { hasStoredPage } from './stored-pages.ts';

const RETRY_DELAY_MS_MAX = 15_000;
/** Hides the short disconnection that every deployment causes. */
const BANNER_DELAY_MS = 1_500;
const BACK_ONLINE_DURATION_MS = 4_000;

let isLost = false;
let isProbing = false;
let bannerTimer: ReturnType<typeof setTimeout> | undefined;
let linkToFollow: HTMLAnchorElement | null = null;

export function watchConnection() {
  const banner = getConnectionBanner();
  const show = (text: string) => {
    if (banner.textContent !== text) banner.textContent = text;
  };

  const reportLost = () => {
    clearTimeout(bannerTimer);
    isLost = true;
    show(getConnectionLostText());
    void probeUntilReachable();
  };
  const reportReached = () => {
    clearTimeout(bannerTimer);
    if (!isLost) return;
    isLost = false;
    show('Back online.');
    bannerTimer = setTimeout(() => show(''), BACK_ONLINE_DURATION_MS);
    document.dispatchEvent(new CustomEvent('edgework:back-online'));
  };
  addEventListener('offline', reportLost);
  document.addEventListener('edgework:lost', () => {
    if (isLost || !navigator.onLine) return reportLost();
    clearTimeout(bannerTimer);
    bannerTimer = setTimeout(async () => (await isServerReachable()) || reportLost(), BANNER_DELAY_MS);
  });
  document.addEventListener('edgework:reached', reportReached);
  document.addEventListener('click', (event) => blockLinkWhileOffline(event, show), { capture: true });
  if (!navigator.onLine || banner.textContent) reportLost();
}

async function isServerReachable(): Promise<boolean> {
  const response = await fetch('/speculation-rules.json', { cache: 'no-store' }).catch(() => null);
  return response?.ok === true;
}

async function probeUntilReachable() {
  if (isProbing) return;
  isProbing = true;
  const retry = new Backoff(RETRY_DELAY_MS_MAX);
  while (isLost && !(await isServerReachable())) await retry.wait();
  isProbing = false;
  if (isLost) announceServerReached();
}

/** While offline, prevents the browser's error page from replacing this page and its unsaved input. */
function blockLinkWhileOffline(event: MouseEvent, show: (text: string) => void) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link === linkToFollow || (!isLost && navigator.onLine)) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || link.target === '_blank') return;
  if (link.origin !== location.origin || link.getAttribute('href')?.startsWith('#')) return;
  if (link.dataset.opens !== undefined) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void isServerReachable().then(async (isReachable) => {
    if (!isReachable && !(await hasStoredPage(link.href)))
      return show("You're offline. The page will open when you're back online.");
    if (!isReachable) return location.assign(link.href);
    announceServerReached();
    linkToFollow = link;
    link.click();
    linkToFollow = null;
  });
}
