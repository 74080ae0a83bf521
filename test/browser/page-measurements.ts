// Measures a page in a browser with an empty cache: bytes, requests and loading times.
import type { Browser, CDPSession } from 'playwright-core';
import type { StorageState } from './visit.ts';

const MBIT_BYTES = 125_000;
/** A typical phone on a mobile network. Its processor is `slowdown` times slower than this machine. */
const PHONE = { mbits: 9, latencyMs: 60, slowdown: 4 };

export interface PageMeasurements {
  readonly requests: readonly string[];
  /** Transferred bytes of all responses, including headers. */
  readonly bytes: number;
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly paintedMs: number;
  /** The time after which the scripts have run and every control works. */
  readonly usableMs: number;
}

export async function measurePage(
  browser: Browser,
  storageState: StorageState,
  address: string,
  { isSlow = false } = {},
): Promise<PageMeasurements> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  const found = await recordRequests(network);
  if (isSlow) await throttle(network);
  await page.goto(address, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  const times = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return { paintedMs: paint?.startTime ?? 0, usableMs: visit?.domContentLoadedEventEnd ?? 0 };
  });
  await context.close();
  const sumBytes = (extension = '') =>
    found.filter(({ path }) => path.endsWith(extension)).reduce((bytes, { size }) => bytes + size, 0);
  return {
    requests: found.map(({ path }) => path),
    bytes: sumBytes(),
    scriptBytes: sumBytes('.js'),
    styleBytes: sumBytes('.css'),
    ...times,
  };
}

interface RecordedRequest {
  readonly path: string;
  size: number;
}

/** Records the page's requests, except for the WebSocket. */
async function recordRequests(network: CDPSession): Promise<RecordedRequest[]> {
  const found = new Map<string, RecordedRequest>();
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('http')) {
      found.set(requestId, { path: new URL(request.url).pathname, size: 0 });
    }
  });
  const list: RecordedRequest[] = [];
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = found.get(requestId);
    if (!request) return;
    request.size = encodedDataLength;
    list.push(request);
  });
  await network.send('Network.enable');
  return list;
}

async function throttle(network: CDPSession): Promise<void> {
  const throughput = PHONE.mbits * MBIT_BYTES;
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PHONE.latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await network.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slowdown });
}
