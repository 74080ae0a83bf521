const SHOWN_MS = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a sentence for a moment, and tells it to screen readers. */
export function say(sentence: string) {
  const place = document.getElementById('said');
  if (!place) return;
  clearTimeout(timer);
  place.textContent = sentence;
  timer = setTimeout(() => {
    place.textContent = '';
  }, SHOWN_MS);
}
