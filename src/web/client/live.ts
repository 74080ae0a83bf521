import { isBusy, morphPage } from './morph.ts';
import { isLeaving, isSignIn } from './request-page.ts';
import { Retry } from './retry.ts';
import { showToast } from './toast.ts';

/** Spreads out the requests of many open pages after a change. */
const SPREAD_MS = 50;
/** Up to this many changes are displayed one at a time. More are displayed together. */
const AT_ONCE_MAX = 4;
const INTERVAL_MS = 300;
const RETRY_MS_MAX = 60_000;
/** How often to check whether a drag or open list has ended. Forms send an event instead. */
const BUSY_MS = 250;
const ASKED_AGAIN_MS = 5 * 60_000;
/** src/events/hub/workspace-hub.ts closes a socket with this code if there are too many. */
const CLOSE_TOO_MANY = 4008;

let tag: string | null = null;
let isAsked = false;
let isAsking = false;
/** Something changed during a request, so its response may be outdated. */
let isMissed = false;
let isStale = false;
let isSignedOut = false;
/** The end of the time that is used up in the rate limit. */
let paidUntil = Number.NEGATIVE_INFINITY;
let busy: ReturnType<typeof setTimeout> | undefined;
const retry = new Retry(RETRY_MS_MAX);

/** The socket only signals a change. The page is then requested with the person's own access and morphed. */
export function followChanges() {
  const base = /^\/app\/[^/]+/.exec(location.pathname)?.[0];
  if (!base || !document.getElementById('menu')) return;
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isStale) refreshSoon();
  });
  window.addEventListener('online', refreshSoon);
  document.addEventListener('edgework:stale', refreshSoon);
  document.addEventListener('edgework:settled', () => {
    if (busy !== undefined) void refresh();
  });
  // The ETag belongs to another version of the page.
  document.addEventListener('edgework:morphed', () => {
    tag = null;
  });
  setInterval(refreshSoon, ASKED_AGAIN_MS);
  connect(`${base}/live`);
}

function connect(address: string, isAgain = false) {
  const url = new URL(address, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => {
    retry.succeeded();
    // There may have been changes while it was disconnected.
    if (isAgain) refreshSoon();
  });
  socket.addEventListener('message', ({ data }) => {
    if (concernsPage(String(data))) refreshSoon();
  });
  socket.addEventListener('close', ({ code }) => {
    if (code === CLOSE_TOO_MANY) return;
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    void retry.wait().then(() => connect(address, true));
  });
}

/** Pages without a project concern all projects. */
function concernsPage(message: string): boolean {
  const shown = Number(document.querySelector<HTMLElement>('main [data-project]')?.dataset.project);
  try {
    const { projects } = JSON.parse(message) as { projects?: number[] };
    return !shown || !projects || projects.length === 0 || projects.includes(shown);
  } catch {
    return false;
  }
}

function refreshSoon() {
  isStale = true;
  if (document.hidden || isAsked) return;
  if (isAsking) {
    isMissed = true;
    return;
  }
  isAsked = true;
  const rest = Math.max(0, paidUntil - AT_ONCE_MAX * INTERVAL_MS - performance.now());
  setTimeout(refresh, rest + Math.random() * SPREAD_MS);
}

async function refresh() {
  clearTimeout(busy);
  busy = undefined;
  if (isLeaving()) return;
  if (isBusy()) {
    busy = setTimeout(refresh, BUSY_MS);
    return;
  }
  isAsked = false;
  isStale = false;
  isAsking = true;
  paidUntil = Math.max(paidUntil, performance.now()) + INTERVAL_MS;
  try {
    await askForPage();
  } catch {
    isStale = true;
  }
  isAsking = false;
  if (isMissed) {
    isMissed = false;
    refreshSoon();
  }
}

async function askForPage() {
  const address = location.href;
  const answer = await fetch(address, {
    headers: { Accept: 'text/html', ...(tag === null ? {} : { 'If-None-Match': tag }) },
    cache: 'no-store',
  });
  noticeSession(answer);
  if (answer.status !== 200 || answer.redirected || address !== location.href) return;
  const html = await answer.text();
  if (isBusy()) {
    refreshSoon();
    return;
  }
  morphPage(html);
  tag = answer.headers.get('ETag');
}

function noticeSession(answer: Response) {
  if (isSignIn(answer)) {
    const way = { address: answer.url, label: 'Sign in in a new tab' };
    showToast("You're signed out. Your text is kept.", { way });
    isStale = true;
  } else if (isSignedOut) showToast("You're signed in again.");
  isSignedOut = isSignIn(answer);
}
