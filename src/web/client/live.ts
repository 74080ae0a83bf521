import { isBusy, morphPage } from './morph.ts';
import { isLeaving, isSignIn } from './request-page.ts';
import { Retry } from './retry.ts';
import { showToast } from './toast.ts';

/** Many pages see a change; they do not ask for it in the same moment. */
const SPREAD_MS = 50;
/** A few changes that follow each other closely are shown one by one, a flood of them together. */
const AT_ONCE_MAX = 4;
const INTERVAL_MS = 300;
const RETRY_MS_MAX = 60_000;
/** A wait for a drag or an open list to end; the end of a form is told. */
const BUSY_MS = 250;
const ASKED_AGAIN_MS = 5 * 60_000;
/** How src/events/hub/workspace-hub.ts closes one socket too many. */
const CLOSE_TOO_MANY = 4008;

let tag: string | null = null;
let isAsked = false;
let isAsking = false;
/** Something changed while the page was asked for, which the answer may not tell. */
let isMissed = false;
let isStale = false;
let isSignedOut = false;
/** When the page would have been asked for next if each asking took its interval. */
let paidUntil = Number.NEGATIVE_INFINITY;
let busy: ReturnType<typeof setTimeout> | undefined;
const retry = new Retry(RETRY_MS_MAX);

/**
 * Keeps the page as fresh as its workspace. The socket says only that something changed; the page is then asked for again
 * with the person's own rights, and morphed. A lost message costs nothing: coming back and reconnecting ask as well.
 */
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
  // What another answer has shown is not what the tag is of.
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
    // What happened while nobody listened.
    if (isAgain) refreshSoon();
  });
  socket.addEventListener('message', ({ data }) => {
    if (concernsPage(String(data))) refreshSoon();
  });
  socket.addEventListener('close', ({ code }) => {
    // The person has too many pages open; this one still asks from time to time.
    if (code === CLOSE_TOO_MANY) return;
    document.dispatchEvent(new CustomEvent('edgework:lost'));
    void retry.wait().then(() => connect(address, true));
  });
}

/** A page of one project names it; every other page is about all of them. */
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

/** Nobody can renew the page of who is signed out; once they are back, it is. */
function noticeSession(answer: Response) {
  if (isSignIn(answer)) {
    const way = { address: answer.url, label: 'Sign in in another tab' };
    showToast('You are signed out. Nothing is lost.', { way });
    isStale = true;
  } else if (isSignedOut) showToast('You are signed in again.');
  isSignedOut = isSignIn(answer);
}
