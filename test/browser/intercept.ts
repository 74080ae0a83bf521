import type { Page, Route } from 'playwright-core';

type Handler = (route: Route) => unknown;

const PROBE_PATH = '/intercepted';
const endings = new WeakMap<Page, (() => Promise<void>)[]>();

/** Handles requests to the URL. Unlike `page.route`, catches even a request that the page sends right away. */
export async function interceptRequests(
  page: Page,
  url: string | ((url: URL) => boolean),
  handle: Handler,
  options: { times?: number } = {},
): Promise<void> {
  const ends = endings.get(page) ?? (await enableInterception(page));
  await page.route(url, handle, options);
  ends.push(() => page.unroute(url, handle));
}

export async function endInterceptions(page: Page): Promise<void> {
  for (const end of endings.get(page)?.splice(0) ?? []) await end();
}

/** Holds the first matching request. */
export async function holdFirstRequest(
  page: Page,
  url: string,
  method?: string,
): Promise<{ held: Promise<Route> }> {
  const { promise: held, resolve } = Promise.withResolvers<Route>();
  let isHeld = false;
  await interceptRequests(page, url, (route) => {
    if (isHeld || (method && method !== route.request().method())) return route.fallback();
    isHeld = true;
    return resolve(route);
  });
  return { held };
}

/**
 * Turns interception on and waits until it takes effect, because an open page can still send requests that aren't
 * intercepted. It is never turned off, because requests can be lost in the process.
 */
async function enableInterception(page: Page): Promise<(() => Promise<void>)[]> {
  const ends: (() => Promise<void>)[] = [];
  endings.set(page, ends);
  await page.route('**/*', (route) => route.fallback());
  if (page.url() === 'about:blank') return ends;
  const handleProbe = (route: Route) => route.fulfill({ status: 204 });
  await page.route(`**${PROBE_PATH}`, handleProbe);
  const sendProbe = async (path: string) => (await fetch(path)).status;
  while ((await page.evaluate(sendProbe, PROBE_PATH)) !== 204);
  await page.unroute(`**${PROBE_PATH}`, handleProbe);
  return ends;
}
