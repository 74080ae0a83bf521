/** When the service worker shows a stored page, it adds the time at which the page was stored. */
export const isStoredPage = () => document.documentElement.dataset.storedAt !== undefined;

export function getConnectionBanner(): HTMLElement {
  const existingBanner = document.getElementById('connection');
  if (existingBanner) return existingBanner;
  const banner = document.createElement('p');
  banner.id = 'connection';
  banner.role = 'status';
  document.body.append(banner);
  return banner;
}

export function getConnectionLostText(): string {
  if (isStoredPage()) return getStoredPageText();
  return `${navigator.onLine ? 'Connection lost. Reconnecting…' : "You're offline."} What you type is kept in this tab.`;
}

function getStoredPageText(): string {
  const storedAt = new Date(document.documentElement.dataset.storedAt ?? '');
  const time = storedAt.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return `You're offline. This is a copy from ${time}. You can't change it.`;
}
