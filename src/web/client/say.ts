const SHOWN_MS = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Tells a sentence to screen readers, and shows it for a moment unless everybody sees what it says. */
export function say(sentence: string, { isShown = true } = {}) {
  const place = document.getElementById('said');
  if (!place) return;
  clearTimeout(timer);
  place.classList.toggle('off-screen', !isShown);
  place.textContent = sentence;
  timer = setTimeout(() => {
    place.textContent = '';
  }, SHOWN_MS);
}
