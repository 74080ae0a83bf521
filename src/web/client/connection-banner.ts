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
  return `${navigator.onLine ? 'Connection lost. Reconnecting…' : "You're offline."} What you type is kept in this tab.`;
}
