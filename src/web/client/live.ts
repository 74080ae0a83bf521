import { Backoff } from './backoff.ts';
import { isPageBusy, morphPage } from './morph.ts';
import { getReconnectSpreadMs, RefreshPace } from './refresh-pace.ts';
import { getRegionUrl, isPanel, listRegions, type Region } from './regions.ts';
import { isLeavingPage, isSignInPage } from './request-page.ts';
import { getWorkspaceBase } from './screen-url.ts';
import { showToast } from './toast.ts';

const RETRY_DELAY_MS_MAX = 60_000;
const DEFAULT_RETRY_SECONDS = 10;
/** How often a page checks whether a drag has ended or an open list was closed. Forms dispatch an event instead. */
const BUSY_CHECK_INTERVAL_MS = 250;
const POLL_INTERVAL_MS = 5 * 60_000;
/** How often a page that shows the progress of background work refreshes. Such work creates no events. */
const PROGRESS_INTERVAL_MS = 2_000;
/** src/events/hub/workspace-hub.ts closes a socket with this code if too many are open. */
const TOO_MANY_SOCKETS_CODE = 4008;

const pageEtags = new WeakMap<Region, string>();
let isRefreshScheduled = false;
let isRefreshing = false;
let hasMissedChange = false;
let isStale = false;
let isSignedOut = false;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;
let busyTimer: ReturnType<typeof setTimeout> | undefined;
let lastSeq = readPageSeq();
const pace = new RefreshPace();
const reconnectBackoff = new Backoff(RETRY_DELAY_MS_MAX);

/** The first message confirms that the socket was admitted, and has no `projects`. */
interface ChangeMessage {
  readonly seq: number;
  readonly projects?: readonly number[];
  /** The changed tasks. Omitted if the pages of other tasks may also show the change. */
  readonly tasks?: readonly number[];
  readonly pages: number;
  readonly slot: number;
}

/** The socket only reports that something changed. The page then requests its content with the person's own access. */
export function subscribeToChanges() {
  const base = getWorkspaceBase();
  if (!base || !document.getElementById('menu')) return;
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isStale) scheduleRefresh(false);
  });
  window.addEventListener('online', () => scheduleRefresh());
  document.addEventListener('edgework:back-online', () => scheduleRefresh());
  document.addEventListener('edgework:stale', () => scheduleRefresh(false));
  document.addEventListener('edgework:settled', () => {
    if (busyTimer !== undefined) void refresh();
  });
  document.addEventListener('edgework:morphed', (event) => {
    pageEtags.delete((event as CustomEvent<Region>).detail);
  });
  setInterval(() => scheduleRefresh(), POLL_INTERVAL_MS);
  setInterval(() => {
    if (document.querySelector('[data-updates]')) scheduleRefresh();
  }, PROGRESS_INTERVAL_MS);
  connectSocket(`${base}/live`);
}

function connectSocket(address: string) {
  const url = new URL(address, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const socket = new WebSocket(url);
  let isAdmitted = false;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as ChangeMessage;
    const isChange = isAdmitted ? mayAffectPage(message) : isStale || isSignedOut || message.seq !== lastSeq;
    if (!isAdmitted) reconnectBackoff.reset();
    isAdmitted = true;
    lastSeq = message.seq;
    pace.openPages = message.pages;
    pace.slot = message.slot;
    if (isChange) scheduleRefresh();
  });
  socket.addEventListener('close', ({ code }) => {
    if (code === TOO_MANY_SOCKETS_CODE) return;
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    void reconnectBackoff.wait([], getReconnectSpreadMs(pace.openPages)).then(() => connectSocket(address));
  });
}

/** Returns the `seq` of the newest event that the page includes, or -1 if the browser doesn't report it. */
function readPageSeq(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const seq = navigation?.serverTiming?.find(({ name }) => name === 'seq')?.description;
  return Number(seq ?? -1);
}

function mayAffectPage(message: ChangeMessage): boolean {
  return listRegions().some((region) => mayAffectRegion(region, message));
}

/** A region that isn't about a single project may show any project, so every change may affect it. */
function mayAffectRegion(region: Region, { projects, tasks }: ChangeMessage): boolean {
  const dataset = region.querySelector<HTMLElement>('[data-project]')?.dataset;
  const [project, task] = [Number(dataset?.project), Number(dataset?.task)];
  if (!project || !projects || projects.length === 0) return true;
  return projects.includes(project) && (!task || !tasks || tasks.includes(task));
}

/** @param waitsForSlot false after the person's own action, because other pages don't refresh at the same time */
function scheduleRefresh(waitsForSlot = true) {
  isStale = true;
  if (document.hidden || (isRefreshScheduled && waitsForSlot)) return;
  if (isRefreshing) {
    hasMissedChange = true;
    return;
  }
  isRefreshScheduled = true;
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(refresh, pace.getDelayMs(waitsForSlot));
}

async function refresh() {
  clearTimeout(refreshTimer);
  clearTimeout(busyTimer);
  busyTimer = undefined;
  if (isLeavingPage()) return;
  if (document.hidden) {
    isRefreshScheduled = false;
    return;
  }
  if (isPageBusy()) {
    busyTimer = setTimeout(refresh, BUSY_CHECK_INTERVAL_MS);
    return;
  }
  isRefreshScheduled = false;
  isStale = false;
  isRefreshing = true;
  pace.recordRefresh();
  try {
    await Promise.all(listRegions().map(refreshRegion));
  } catch {
    isStale = true;
  }
  isRefreshing = false;
  if (hasMissedChange) {
    hasMissedChange = false;
    scheduleRefresh();
  }
}

async function refreshRegion(region: Region) {
  const address = getRegionUrl(region);
  const pageEtag = pageEtags.get(region);
  const response = await fetch(address, {
    headers: { Accept: 'text/html', ...(pageEtag ? { 'If-None-Match': pageEtag } : {}) },
    cache: 'no-store',
  });
  reportSessionChange(response);
  if (response.status === 429 || response.status >= 500) {
    pace.pause(Number(response.headers.get('Retry-After')) || DEFAULT_RETRY_SECONDS);
    return scheduleRefresh();
  }
  if (response.redirected || !region.isConnected || address !== getRegionUrl(region)) return;
  if (response.status === 404 && isPanel(region))
    document.dispatchEvent(new CustomEvent('edgework:task-gone'));
  if (response.status !== 200) return;
  const html = await response.text();
  if (isPageBusy()) {
    scheduleRefresh();
    return;
  }
  morphPage(html, null, region);
  pageEtags.set(region, response.headers.get('ETag') ?? '');
}

function reportSessionChange(response: Response) {
  if (isSignInPage(response)) {
    const linkTo = { address: response.url, label: 'Sign in (opens a new tab)' };
    showToast("You're signed out. Your text is still here.", { linkTo });
    isStale = true;
  } else if (isSignedOut) showToast("You're signed in again.");
  isSignedOut = isSignInPage(response);
}
