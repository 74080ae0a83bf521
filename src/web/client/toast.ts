const MESSAGE_SHOWN_MS = 4_000;
/** Errors stay longer, because the person may be looking elsewhere. */
const PROBLEM_SHOWN_MS = 12_000;
let timer: ReturnType<typeof setTimeout> | undefined;

interface ToastOptions {
  /** False to announce the message to screen readers only. */
  isShown?: boolean;
  isProblem?: boolean;
  /** A link that opens in a new tab. A message with a link stays until the next message. */
  way?: { readonly address: string; readonly label: string };
}

export function showToast(sentence: string, { isShown = true, isProblem = false, way }: ToastOptions = {}) {
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
  timer = setTimeout(() => place.replaceChildren(), isProblem ? PROBLEM_SHOWN_MS : MESSAGE_SHOWN_MS);
}
