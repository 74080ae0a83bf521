import { toScreenUrl } from './screen-url.ts';

export const WORKER_PATH = '/service-worker.js';
/** Contains `/app`, where the installed app starts. */
export const WORKER_SCOPE = '/app';
const PAGES_CACHE = 'edgework-pages';
export const OFFLINE_PATH = '/offline';

export const openPageCache = (): Promise<Cache> => caches.open(PAGES_CACHE);

/** The task panel's parameter isn't part of the key, because the server doesn't see it as another page. */
export function toPageKey(address: string): string {
  const url = new URL(address, location.href);
  return url.origin + toScreenUrl(url);
}

export async function hasStoredPage(address: string): Promise<boolean> {
  try {
    return (await (await openPageCache()).match(toPageKey(address))) !== undefined;
  } catch {
    return false;
  }
}

export async function forgetStoredPages(): Promise<void> {
  try {
    await caches.delete(PAGES_CACHE);
  } catch {
    // Without storage, nothing is stored.
  }
}
