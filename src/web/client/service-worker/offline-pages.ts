import { forgetStoredPages, OFFLINE_PATH, openPageCache, toPageKey } from '../stored-pages.ts';
import { type RequestEvent, worker } from './worker-scope.ts';

const ASSETS_CACHE = 'edgework-assets';
const PAGES_MAX = 60;
/** Several deployments' worth. */
const ASSETS_MAX = 150;
const STORED_AT_HEADER = 'Edgework-Stored-At';

/**
 * Pages come from the server whenever it responds. Stylesheets, scripts and icons come from the cache, because their
 * names change with their contents. Responses to forms aren't stored, so neither are the secrets that they show.
 */
export function respondToRequest(event: RequestEvent) {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(getAsset(request));
  else if (/^\/app(\/|$)/.test(pathname) && request.headers.get('Accept')?.includes('text/html'))
    event.respondWith(getPage(event));
}

async function getAsset(request: Request): Promise<Response> {
  const cache = await caches.open(ASSETS_CACHE);
  const stored = await cache.match(request.url);
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok) await cache.put(request.url, response.clone());
  return response;
}

async function getPage(event: RequestEvent): Promise<Response> {
  const { request } = event;
  try {
    const response = (await event.preloadResponse) ?? (await fetch(request));
    const copy = response.clone();
    event.waitUntil(storePage(toPageKey(request.url), copy));
    return response;
  } catch (error) {
    if (request.mode !== 'navigate') throw error;
    return findPage(request.url);
  }
}

async function storePage(key: string, response: Response) {
  if (response.status === 304) return;
  const cache = await openPageCache();
  if (response.status !== 200 || response.redirected) {
    // The person may have been signed out or removed, so none of the pages may be theirs to read anymore.
    if (response.status < 500 && response.status !== 429 && (await cache.match(key)))
      await forgetStoredPages();
    return;
  }
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return;
  const html = await response.text();
  if (!html.includes('<body class="screen"')) return;
  await storeAssets(html);
  const headers = new Headers(response.headers);
  headers.set(STORED_AT_HEADER, new Date().toISOString());
  await cache.put(key, new Response(html, { headers }));
  await deleteOldest(cache, PAGES_MAX);
}

async function storeAssets(html: string) {
  const cache = await caches.open(ASSETS_CACHE);
  const hasNewAssets = await addMissingAssets(cache, html);
  // New assets mean that the server was deployed, so the offline page may have changed, too.
  if (!hasNewAssets && (await cache.match(OFFLINE_PATH))) return;
  const response = await fetch(OFFLINE_PATH);
  if (!response.ok) return;
  await addMissingAssets(cache, await response.clone().text());
  await cache.put(OFFLINE_PATH, response);
  await deleteOldest(cache, ASSETS_MAX);
}

async function addMissingAssets(cache: Cache, html: string): Promise<boolean> {
  const named = new Set(html.match(/\/assets\/[\w.-]+/g));
  const found = await Promise.all([...named].map(async (path) => ((await cache.match(path)) ? [] : [path])));
  const missing = found.flat();
  await cache.addAll(missing);
  return missing.length > 0;
}

/** The oldest entries come first. */
async function deleteOldest(cache: Cache, max: number) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - max))) await cache.delete(key);
}

async function findPage(address: string): Promise<Response> {
  const pages = await openPageCache();
  const page = await pages.match(toPageKey(address));
  if (page) {
    const storedAt = page.headers.get(STORED_AT_HEADER) ?? '';
    const html = (await page.text()).replace('<html ', `<html data-stored-at="${storedAt}" `);
    return new Response(html, { headers: page.headers });
  }
  const offline = await (await caches.open(ASSETS_CACHE)).match(OFFLINE_PATH);
  if (!offline) return Response.error();
  const links = await listStoredPages(pages);
  const html = (await offline.text()).replace(/<ul id="stored-pages"[^>]*>/, (list) => list + links);
  return new Response(html, { headers: offline.headers });
}

async function listStoredPages(pages: Cache): Promise<string> {
  const requests = (await pages.keys()).toReversed();
  const links = await Promise.all(
    requests.map(async ({ url }) => {
      const html = (await (await pages.match(url))?.text()) ?? '';
      // The title and the address are already escaped.
      const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '';
      return `<li><a href="${url.replaceAll('&', '&amp;')}">${title}</a></li>`;
    }),
  );
  return links.join('');
}
