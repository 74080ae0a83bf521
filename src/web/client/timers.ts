const TICK_MS = 15_000;

export function enableTimers() {
  setInterval(() => {
    for (const shown of document.querySelectorAll<HTMLElement>('[data-since]')) {
      const seconds = Math.max(0, (Date.now() - Date.parse(shown.dataset.since ?? '')) / 1000);
      const minutes = Math.floor((seconds % 3600) / 60);
      shown.textContent = `${Math.floor(seconds / 3600)}:${String(minutes).padStart(2, '0')}`;
    }
  }, TICK_MS);
}
