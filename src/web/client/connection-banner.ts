const bannerStyles = `#connection {
  position: fixed; z-index: 30; inset: 8px auto auto 50%; translate: -50% 0; margin: 0; padding: 6px 16px;
  width: max-content; max-width: calc(100vw - 32px); border-radius: 18px; text-align: center; pointer-events: none;
  color: var(--surface); background: var(--text);
}
#connection:empty { display: none }`;

export function getConnectionBanner(): HTMLElement {
  const shown = document.getElementById('connection');
  if (shown) return shown;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(bannerStyles);
  document.adoptedStyleSheets.push(sheet);
  const banner = document.createElement('p');
  banner.id = 'connection';
  banner.role = 'status';
  document.body.append(banner);
  return banner;
}

export function getConnectionLostText(): string {
  return `${navigator.onLine ? 'Connection lost. Reconnecting…' : "You're offline."} What you type is kept in this tab.`;
}
