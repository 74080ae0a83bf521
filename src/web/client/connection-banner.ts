const styles = `#connection {
  position: fixed; z-index: 30; inset: 0 0 auto; padding: 6px 16px; text-align: center;
  color: var(--surface); background: var(--text);
}
#connection:empty { display: none }`;

/** The line at the top of every screen that says how the connection is. */
export function connectionBanner(): HTMLElement {
  const shown = document.getElementById('connection');
  if (shown) return shown;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
  const banner = document.createElement('p');
  banner.id = 'connection';
  banner.role = 'status';
  document.body.append(banner);
  return banner;
}

export function lostText(): string {
  return `${navigator.onLine ? 'Connection lost. Reconnecting…' : "You're offline."} What you type is kept in this tab.`;
}
