const SHOWN_MS = 4_000;
/** Whoever sends something may look elsewhere until it fails. */
const PROBLEM_MS = 12_000;
let timer: ReturnType<typeof setTimeout> | undefined;

interface How {
  /** False if everybody sees what it says. */
  isShown?: boolean;
  isProblem?: boolean;
  /** What to do about it, in another tab; with it the sentence stays until another one comes. */
  way?: { readonly address: string; readonly label: string };
}

/** Tells a sentence to screen readers, and shows it for a while. */
export function showToast(sentence: string, { isShown = true, isProblem = false, way }: How = {}) {
  const place = document.getElementById('said');
  if (!place) return;
  clearTimeout(timer);
  place.classList.toggle('off-screen', !isShown);
  place.textContent = sentence;
  if (way) {
    const link = document.createElement('a');
    Object.assign(link, { href: way.address, target: '_blank', textContent: way.label });
    place.append(' ', link);
    return;
  }
  timer = setTimeout(() => place.replaceChildren(), isProblem ? PROBLEM_MS : SHOWN_MS);
}
