import { areSingleKeysOn } from './single-keys.ts';

/** Whether what is typed goes into a field. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [contenteditable]'))
  );
}

/**
 * One key, one way: `/` and Ctrl K search, `c` begins a task, `z` takes back what was just done, Ctrl Enter
 * sends a long text, Escape leaves a field, `?` tells them. Boards and the inbox add theirs.
 */
export function enhanceKeys() {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && key === 'k') {
      event.preventDefault();
      follow('/');
      return;
    }
    if ((ctrlKey || metaKey) && key === 'Enter' && target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      target.form?.requestSubmit();
    }
    if (ctrlKey || metaKey || altKey) return;
    if (isTyping(target)) {
      if (key === 'Escape' && target instanceof HTMLElement) target.blur();
      return;
    }
    if (!areSingleKeysOn()) return;
    if (key === '/' || key === '?') {
      event.preventDefault();
      follow(key);
    } else if (key === 'z') {
      document.querySelector<HTMLButtonElement>('#done button')?.click();
    } else if (key === 'c') {
      const field = document.querySelector<HTMLInputElement>('.quick-add input[name="name"]');
      if (!field) return;
      event.preventDefault();
      field.focus();
    }
  });
}

function follow(key: string) {
  document.querySelector<HTMLAnchorElement>(`a[aria-keyshortcuts="${key}"]`)?.click();
}
