const LATER_MS = 5_000;

/** Loads drafts and the connection's banner once somebody uses the page, or it has been there for a while. */
export function loadLater() {
  // Without a network the next page has it.
  const load = () => import(document.body.dataset.later as string).catch(() => {});
  addEventListener('pointerdown', load, { once: true });
  addEventListener('keydown', load, { once: true });
  // Drafts wait to be shown.
  setTimeout(load, sessionStorage.length ? 0 : LATER_MS);
}
