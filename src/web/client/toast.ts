const TOAST_DURATION_MS = 4_000;
const ERROR_TOAST_DURATION_MS = 12_000;
let timer: ReturnType<typeof setTimeout> | undefined;

interface ToastOptions {
  /** False if the message is only for screen readers. */
  isShown?: boolean;
  isProblem?: boolean;
  /** A link that opens in a new tab. A message with a link is shown until the next message replaces it. */
  linkTo?: { readonly address: string; readonly label: string };
}

export function showToast(text: string, { isShown = true, isProblem = false, linkTo }: ToastOptions = {}) {
  const toast = document.getElementById('toast');
  if (!toast) return;
  clearTimeout(timer);
  toast.classList.toggle('off-screen', !isShown);
  toast.textContent = text;
  if (linkTo) {
    const link = document.createElement('a');
    Object.assign(link, { href: linkTo.address, target: '_blank', textContent: linkTo.label });
    toast.append(' ', link);
    return;
  }
  const hide = () => toast.textContent === text && toast.replaceChildren();
  timer = setTimeout(hide, isProblem ? ERROR_TOAST_DURATION_MS : TOAST_DURATION_MS);
}
