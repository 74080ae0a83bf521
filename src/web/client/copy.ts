import { say } from './say.ts';

/** Shows the copy buttons and makes them work. Without a script people select the text by hand. */
export function enhanceCopyButtons() {
  showButtons();
  document.addEventListener('edgework:morphed', showButtons);
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[data-copy]') : null;
    const source = button && document.getElementById(button.dataset.copy ?? '');
    if (!button || !(source instanceof HTMLTextAreaElement || source instanceof HTMLInputElement)) return;
    source.focus();
    source.select();
    await navigator.clipboard.writeText(source.value);
    button.textContent = 'Copied';
    say('It is in the clipboard.');
  });
}

function showButtons() {
  for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) button.hidden = false;
}
