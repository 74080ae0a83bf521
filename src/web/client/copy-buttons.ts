import { isFirstCall } from './first-call.ts';
import { showToast } from './toast.ts';

/** `data-copy` is either the URL to copy, or the selector of the field to copy, such as `#key`. */
export function enableCopyButtons() {
  if (!isFirstCall('copyButtons')) return;
  showCopyButtons();
  for (const name of ['edgework:morphed', 'edgework:task-opened'])
    document.addEventListener(name, showCopyButtons);
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[data-copy]') : null;
    if (!button) return;
    const { copy = '' } = button.dataset;
    const source = copy.startsWith('#') ? document.querySelector<HTMLInputElement>(copy) : null;
    source?.focus();
    source?.select();
    await copyText(source?.value ?? new URL(copy, location.href).href);
    button.textContent = 'Copied';
  });
}

export async function copyText(text: string) {
  await navigator.clipboard.writeText(text);
  showToast('Copied to clipboard');
}

function showCopyButtons() {
  for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) button.hidden = false;
}
