const UPDATE_INTERVAL_MS = 15_000;

export function enableTimers() {
  setInterval(() => {
    for (const timer of document.querySelectorAll<HTMLElement>('[data-since]')) {
      const seconds = Math.max(0, (Date.now() - Date.parse(timer.dataset.since ?? '')) / 1000);
      const minutes = Math.floor((seconds % 3600) / 60);
      timer.textContent = `${Math.floor(seconds / 3600)}:${String(minutes).padStart(2, '0')}`;
    }
  }, UPDATE_INTERVAL_MS);
}
